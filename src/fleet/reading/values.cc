#include "fleet/reading/values.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::fleet {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

bool digit(char c) { return c >= '0' && c <= '9'; }

// A number since 1970. Its size decides the unit: seconds, milliseconds, microseconds or nanoseconds.
std::optional<Timestamp> read_epoch(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole = parse_int64(text.substr(0, point));
  if (!whole || *whole <= 0) return std::nullopt;
  std::int64_t unit = kSecond;
  for (const std::int64_t limit : {100'000'000'000, 100'000'000'000'000, 100'000'000'000'000'000}) {
    if (*whole >= limit) unit /= 1000;
  }
  if (*whole > INT64_MAX / unit - 1) return std::nullopt;
  std::int64_t ns = *whole * unit;
  if (point == std::string_view::npos) return Timestamp{ns};
  // Digit by digit: a double would resolve seconds since 1970 only to a quarter of a microsecond.
  for (const char c : text.substr(point + 1)) {
    if (!digit(c)) return std::nullopt;
    unit /= 10;
    ns += (c - '0') * unit;
  }
  return Timestamp{ns};
}

bool has_zone(std::string_view text) {
  if (text.ends_with('Z') || text.ends_with('z')) return true;
  // A sign after the time of day; the signs of dates come before it.
  return text.size() > 11 && text.find_first_of("+-", 11) != std::string_view::npos;
}

}  // namespace

std::optional<Timestamp> TimestampReader::read(std::string_view text) {
  if (text.size() == 24) {
    if (const auto at = read_iso_milliseconds(text)) return at;
  }
  return read_other(trim(text));
}

// Fast path for 2018-11-08T07:41:31.055Z, the format of nearly all lines.
std::optional<Timestamp> TimestampReader::read_iso_milliseconds(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";
  unsigned wrong = 0;
  for (const std::size_t i : {11U, 12U, 14U, 15U, 17U, 18U, 20U, 21U, 22U}) wrong |= !digit(text[i]);
  for (const std::size_t i : {10U, 13U, 16U, 19U, 23U}) wrong |= text[i] != kShape[i];
  if (wrong != 0) return std::nullopt;
  if (std::memcmp(day_, text.data(), sizeof day_) != 0) {
    const auto day = parse_timestamp(text.substr(0, sizeof day_));
    if (!day) return std::nullopt;
    std::memcpy(day_, text.data(), sizeof day_);
    day_ns_ = day->ns;
  }
  const auto two = [&](std::size_t i) { return (text[i] - '0') * 10 + (text[i + 1] - '0'); };
  const int hour = two(11), minute = two(14), second = two(17);
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const int milliseconds = two(20) * 10 + (text[22] - '0');
  return Timestamp{day_ns_ + ((hour * 60 + minute) * 60 + second) * kSecond +
                   milliseconds * (kSecond / 1000)};
}

std::optional<Timestamp> TimestampReader::read_other(std::string_view text) {
  if (text.size() < 8) return std::nullopt;
  std::array<char, 40> dashed{};
  if (text.size() < dashed.size() && text[4] == '/') {
    std::memcpy(dashed.data(), text.data(), text.size());
    for (char& c : dashed) {
      if (c == '/') c = '-';
    }
    text = {dashed.data(), text.size()};
  }
  if (auto at = parse_timestamp(text)) {
    if (has_zone(text)) return at;
    ++without_zone_;
    return Timestamp{at->ns - zone_ns_};
  }
  return read_epoch(text);
}

std::optional<double> read_value(std::string_view text) {
  // Fast path: few digits are exact as an integer, and dividing by a power of ten rounds once.
  constexpr std::array<double, 8> kTens{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  std::int64_t digits = 0;
  std::size_t at = 0, decimals = 0;
  bool point = false;
  for (; at < text.size() && at < 12; ++at) {
    const char c = text[at];
    if (digit(c)) {
      digits = digits * 10 + (c - '0');
      decimals += point ? 1 : 0;
    } else if (c == '.' && !point && at > 0) {
      point = true;
    } else {
      break;
    }
  }
  if (at == text.size() && at > 0 && decimals < kTens.size() && text.back() != '.')
    return static_cast<double>(digits) / kTens[decimals];
  text = trim(text);
  const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  const std::string_view unit = trim(text.substr(end));
  double factor = 1;
  if (unit == "mW") {
    factor = 1e-3;
  } else if (unit == "kW") {
    factor = 1e3;
  } else if (!unit.empty() && unit != "W" && unit != "%" && unit != "C") {
    return std::nullopt;
  }
  const auto number = parse_double(trim(text.substr(0, end)));
  if (!number) return std::nullopt;
  return *number * factor;
}

bool is_simulated_mark(std::string_view text) {
  const std::string_view mark = trim(text);
  if (mark == "true" || mark == "1") return true;
  if (mark.empty() || mark.size() > 4 || mark == "0") return false;
  const std::string small = lower(mark);
  return small == "true" || small == "yes";
}

std::optional<std::int64_t> read_zone(std::string_view text) {
  if (text == "Z" || text == "z" || text == "UTC") return 0;
  const auto at = parse_timestamp(fmt::format("2000-01-01T00:00:00{}", text));
  if (!at || text.empty()) return std::nullopt;
  return parse_timestamp("2000-01-01T00:00:00Z")->ns - at->ns;
}

}  // namespace ergon::fleet
