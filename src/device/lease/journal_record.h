#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "device/lease/lease_holder.h"
#include "device/lease/lease_value.h"

// The records of a journal, each one line of words, a checksum the last of them:
//
//   lease 1 UUID BOOT PID SINCE COMMAND 6324e469   a lease begins (1: the format)
//   change power_limit 700W 500W 2fafe054          the first change of a control: from, to
//   set power_limit 450W 0761d856                  a further change of it: to
//   restored power_limit a6d1c6f5                  the control is what it was before its change
//
// Values are exact. A range of clocks is 900MHz..1.2GHz; "unlocked" is a clock that the device chooses,
// "unread" one of which it does not tell. Letters other than A-Z, a-z, 0-9, - and _ are %XX in names.

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

std::string record_text(const JournalRecord& record);  // without checksum

// Errors: unsupported for the format of a later Ergon, else invalid_input.
Result<JournalRecord> parse_record(std::string_view text);

// A text as one word for records and file names, and back.
std::string journal_word(std::string_view text);
std::optional<std::string> text_of_journal_word(std::string_view word);

// The checksums (CRC-32) of a journal, each over its record and all before it: a line that is lost, doubled
// or moved breaks the chain.
class JournalChain {
 public:
  // The next line, its end included.
  std::string sign(std::string_view record);
  // The record of the next line, or nothing (and the chain stays where it is).
  std::optional<std::string_view> verify(std::string_view line);

 private:
  std::uint32_t sum_ = 0;
};

}  // namespace ergon::device
