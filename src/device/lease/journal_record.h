#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "device/lease/lease_holder.h"
#include "device/lease/lease_value.h"

// Journal records. Each is one line of space-separated words; the last word is a checksum:
//
//   lease 1 UUID BOOT PID SINCE COMMAND 6324e469   a lease begins (1: the format)
//   change power_limit 700W 500W 2fafe054          first change of a control: previous value, new value
//   set power_limit 450W 0761d856                  later change of the same control: new value
//   restored power_limit a6d1c6f5                  the previous value was restored
//
// Values are exact. A clock range is written 900MHz..1.2GHz, an unlocked clock "unlocked", and a clock whose
// previous value could not be read "unread". In names, characters other than A-Z, a-z, 0-9, - and _ are %XX.

namespace ergon::device {

struct JournalOpening {
  std::string uuid;
  std::string boot;
  LeaseHolder holder;

  friend bool operator==(const JournalOpening&, const JournalOpening&) = default;
};

struct JournalSetting {
  Control control = Control::power_limit;
  ControlValue requested;

  friend bool operator==(const JournalSetting&, const JournalSetting&) = default;
};

struct JournalRestored {
  Control control = Control::power_limit;

  friend bool operator==(const JournalRestored&, const JournalRestored&) = default;
};

using JournalRecord = std::variant<JournalOpening, ControlChange, JournalSetting, JournalRestored>;

std::string record_text(const JournalRecord& record);  // without the checksum

// Errors: unsupported for the format of a newer Ergon, otherwise invalid_input.
Result<JournalRecord> parse_record(std::string_view text);

// Percent-encodes a text into one word for records and file names, and decodes it.
std::string journal_word(std::string_view text);
std::optional<std::string> text_of_journal_word(std::string_view word);

// Chained CRC-32 checksums: each covers its record and all earlier ones, so that a lost, duplicated or moved
// line is detected.
class JournalChain {
 public:
  // The record with its checksum and newline.
  std::string sign(std::string_view record);
  // The record of a line with a valid checksum. Otherwise absent, and the chain does not advance.
  std::optional<std::string_view> verify(std::string_view line);

 private:
  std::uint32_t sum_ = 0;
};

}  // namespace ergon::device
