#include "base/timestamp.h"

#include <fmt/format.h>

namespace ergon {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

// Days between the civil date and 1970-01-01 in the proleptic Gregorian calendar. The year is counted from
// March, so that the leap day ends it and the lengths of the months before it follow (153 m + 2) / 5 (Howard
// Hinnant, "chrono-compatible low-level date algorithms").
constexpr std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = year - era * 400;
  const auto day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const auto day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

// The years that a timestamp can represent completely.
constexpr std::int64_t kFirstSecond = days_from_civil(1678, 1, 1) * kSecondsPerDay;
constexpr std::int64_t kEndSecond = days_from_civil(2262, 1, 1) * kSecondsPerDay;

struct CivilDate {
  std::int64_t year;
  int month;
  int day;
};

constexpr CivilDate civil_from_days(std::int64_t days) {
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  const int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {year_of_era + era * 400 + (month <= 2), month, day};
}

constexpr int days_in_month(std::int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Consumes fixed-width numbers and separators from the front of a text. Fails from the first mismatch on.
class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return at_ == end_; }
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  bool accept(char c) {
    const bool matches = peek() == c && !at_end();
    at_ += matches;
    return matches;
  }
  bool digit() const { return !at_end() && static_cast<unsigned char>(*at_ - '0') < 10; }

  // Exactly `width` digits, or -1.
  int number(int width) {
    int value = 0;
    for (int i = 0; i < width; ++i) {
      if (!digit()) return -1;
      value = value * 10 + (*at_++ - '0');
    }
    return value;
  }

 private:
  const char* at_;
  const char* end_;
};

// ".314" as nanoseconds; absent if it has no digit or more than nine.
std::optional<std::int64_t> fraction_ns(Reader& in) {
  std::int64_t ns = 0;
  std::int64_t weight = kNsPerSecond;
  while (in.digit()) {
    if (weight == 1) return std::nullopt;
    weight /= 10;
    ns += weight * in.number(1);
  }
  if (weight == kNsPerSecond) return std::nullopt;
  return ns;
}

// The offset from UTC in seconds of "Z", "+01:00", "+0100", "+01" or "".
std::optional<std::int64_t> zone_offset(Reader& in) {
  if (in.at_end() || in.accept('Z') || in.accept('z')) return 0;
  const int sign = in.accept('+') ? 1 : in.accept('-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const int hours = in.number(2);
  int minutes = 0;
  if (in.accept(':') || !in.at_end()) minutes = in.number(2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return sign * (hours * 3600 + minutes * 60);
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  Reader in(text);
  const int year = in.number(4);
  if (year < 1678 || year > 2261 || !in.accept('-')) return std::nullopt;
  const int month = in.number(2);
  if (month < 1 || month > 12 || !in.accept('-')) return std::nullopt;
  const int day = in.number(2);
  if (day < 1 || day > days_in_month(year, month)) return std::nullopt;
  std::int64_t seconds = days_from_civil(year, month, day) * kSecondsPerDay;
  if (in.at_end()) return Timestamp{seconds * kNsPerSecond};

  if (!in.accept('T') && !in.accept(' ') && !in.accept('t')) return std::nullopt;
  const int hour = in.number(2);
  if (hour < 0 || hour > 23 || !in.accept(':')) return std::nullopt;
  const int minute = in.number(2);
  if (minute < 0 || minute > 59) return std::nullopt;
  int second = 0;
  std::int64_t ns = 0;
  if (in.accept(':')) {
    second = in.number(2);
    if (second < 0 || second > 60) return std::nullopt;  // 60: a leap second
    if (in.accept('.') || in.accept(',')) {
      const auto fraction = fraction_ns(in);
      if (!fraction) return std::nullopt;
      ns = *fraction;
    }
  }
  const auto offset = zone_offset(in);
  if (!offset || !in.at_end()) return std::nullopt;
  seconds += hour * 3600 + minute * 60 + second - *offset;
  if (seconds < kFirstSecond || seconds >= kEndSecond)
    return std::nullopt;  // the offset moved it out of range
  return Timestamp{seconds * kNsPerSecond + ns};
}

std::string to_text(Timestamp t) {
  std::int64_t seconds = t.ns / kNsPerSecond;
  std::int64_t ns = t.ns % kNsPerSecond;
  if (ns < 0) {
    ns += kNsPerSecond;
    --seconds;
  }
  std::int64_t days = seconds / kSecondsPerDay;
  std::int64_t of_day = seconds % kSecondsPerDay;
  if (of_day < 0) {
    of_day += kSecondsPerDay;
    --days;
  }
  const auto date = civil_from_days(days);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", date.year, date.month, date.day,
                                 of_day / 3600, of_day / 60 % 60, of_day % 60);
  if (ns == 0) return text + "Z";
  if (ns % 1'000'000 == 0) return text + fmt::format(".{:03}Z", ns / 1'000'000);
  if (ns % 1'000 == 0) return text + fmt::format(".{:06}Z", ns / 1'000);
  return text + fmt::format(".{:09}Z", ns);
}

}  // namespace ergon
