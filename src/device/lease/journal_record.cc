#include "device/lease/journal_record.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::device {
namespace {

constexpr std::string_view kFormat = "1";
constexpr std::string_view kUnlocked = "unlocked";
constexpr std::string_view kUnread = "unread";
constexpr std::string_view kTo = "..";

std::string value_word(const ControlValue& value) {
  if (value.power_limit) return to_exact_text(*value.power_limit);
  if (!value.clocks) return std::string(kUnlocked);
  return fmt::format("{}{}{}", to_exact_text(value.clocks->min), kTo, to_exact_text(value.clocks->max));
}

std::string words_of(const JournalOpening& opening) {
  return fmt::format("lease {} {} {} {} {} {}", kFormat, journal_word(opening.uuid),
                     journal_word(opening.boot), opening.holder.pid, ergon::to_text(opening.holder.since),
                     journal_word(opening.holder.command));
}
std::string words_of(const ControlChange& change) {
  return fmt::format("change {} {} {}", name_of(change.control),
                     change.before ? value_word(*change.before) : kUnread, value_word(change.requested));
}
std::string words_of(const JournalSetting& setting) {
  return fmt::format("set {} {}", name_of(setting.control), value_word(setting.requested));
}
std::string words_of(const JournalRestored& restored) {
  return fmt::format("restored {}", name_of(restored.control));
}

Error unknown(std::string_view what, std::string_view word) {
  return fail(Errc::invalid_input, "\"{}\" is not a valid {}", printable(word), what);
}

Result<Control> parse_control(std::string_view word) {
  for (const Control control : {Control::power_limit, Control::core_clock, Control::memory_clock}) {
    if (word == name_of(control)) return control;
  }
  return unknown("control", word);
}

Result<ControlValue> parse_value(Control control, std::string_view word) {
  ControlValue value;
  if (control == Control::power_limit) {
    const auto limit = parse_quantity<Watts>(word, "");
    if (!limit) return limit.error();
    value.power_limit = *limit;
  } else if (word != kUnlocked) {
    const auto between = word.find(kTo);
    if (between == std::string_view::npos) return unknown("clock range", word);
    const auto min = parse_quantity<Hertz>(word.substr(0, between), "");
    if (!min) return min.error();
    const auto max = parse_quantity<Hertz>(word.substr(between + kTo.size()), "");
    if (!max) return max.error();
    value.clocks = ClockRange{*min, *max};
  }
  if (auto checked = check_value(control, value); !checked) return checked.error();
  return value;
}

using Words = std::vector<std::string_view>;

Result<JournalRecord> parse_opening(const Words& words) {
  const auto uuid = text_of_journal_word(words[2]);
  const auto boot = text_of_journal_word(words[3]);
  const auto pid = parse_int64(words[4]);
  const auto since = parse_timestamp(words[5]);
  const auto command = text_of_journal_word(words[6]);
  if (!uuid || !boot || !pid || !since || !command) return fail(Errc::invalid_input, "invalid lease record");
  return JournalRecord(JournalOpening{*uuid, *boot, {*pid, *command, *since}});
}

Result<JournalRecord> parse_change(const Words& words) {
  const auto control = parse_control(words[1]);
  if (!control) return control.error();
  ControlChange change{.control = *control};
  // A power limit that was not read could not be restored, so such records are never written.
  if (words[2] != kUnread || *control == Control::power_limit) {
    const auto before = parse_value(*control, words[2]);
    if (!before) return before.error();
    change.before = *before;
  }
  const auto requested = parse_value(*control, words[3]);
  if (!requested) return requested.error();
  change.requested = *requested;
  return JournalRecord(change);
}

Result<JournalRecord> parse_setting(const Words& words) {
  const auto control = parse_control(words[1]);
  if (!control) return control.error();
  const auto requested = parse_value(*control, words[2]);
  if (!requested) return requested.error();
  return JournalRecord(JournalSetting{*control, *requested});
}

Result<JournalRecord> parse_restored(const Words& words) {
  const auto control = parse_control(words[1]);
  if (!control) return control.error();
  return JournalRecord(JournalRestored{*control});
}

bool plain(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// CRC-32 of IEEE 802.3, continued from `before`.
std::uint32_t crc32(std::uint32_t before, std::string_view text) {
  std::uint32_t sum = ~before;
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~sum;
}

}  // namespace

std::string record_text(const JournalRecord& record) {
  return std::visit([](const auto& kind) { return words_of(kind); }, record);
}

Result<JournalRecord> parse_record(std::string_view text) {
  const Words words = split(text, ' ');
  if (words[0] == "lease" && words.size() > 1 && words[1] != kFormat) {
    return fail(Errc::unsupported, "journal format {} was written by a newer Ergon", printable(words[1]));
  }
  if (words[0] == "lease" && words.size() == 7) return parse_opening(words);
  if (words[0] == "change" && words.size() == 4) return parse_change(words);
  if (words[0] == "set" && words.size() == 3) return parse_setting(words);
  if (words[0] == "restored" && words.size() == 2) return parse_restored(words);
  return unknown("record", text);
}

std::string journal_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (plain(c)) {
      word += c;
    } else {
      fmt::format_to(std::back_inserter(word), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return word;
}

std::optional<std::string> text_of_journal_word(std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (plain(word[i])) {
      text += word[i];
      continue;
    }
    if (word[i] != '%' || i + 2 >= word.size()) return std::nullopt;
    const auto high = hex_digit(word[i + 1]), low = hex_digit(word[i + 2]);
    if (!high || !low) return std::nullopt;
    text += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return text;
}

std::string JournalChain::sign(std::string_view record) {
  sum_ = crc32(sum_, record);
  return fmt::format("{} {:08x}\n", record, sum_);
}

std::optional<std::string_view> JournalChain::verify(std::string_view line) {
  const auto blank = line.rfind(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view record = line.substr(0, blank);
  const std::uint32_t sum = crc32(sum_, record);
  if (line.substr(blank + 1) != fmt::format("{:08x}", sum)) return std::nullopt;
  sum_ = sum;
  return record;
}

}  // namespace ergon::device
