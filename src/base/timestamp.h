#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace ergon {

// later - earlier. Subtracts in nanoseconds before converting to double, and never overflows.
constexpr Seconds seconds_between(std::int64_t earlier_ns, std::int64_t later_ns) {
  const auto distance = [](std::int64_t low, std::int64_t high) {
    return static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 1e9;
  };
  return Seconds{later_ns >= earlier_ns ? distance(earlier_ns, later_ns) : -distance(later_ns, earlier_ns)};
}

// Nanoseconds since 1970-01-01T00:00:00Z, for the years 1678 to 2261.
struct Timestamp {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
  friend constexpr Seconds operator-(Timestamp a, Timestamp b) { return seconds_between(b.ns, a.ns); }
};

// Parses ISO 8601: a date (2018-11-08), optionally followed by 'T', 't' or a blank, hh:mm[:ss[.fraction]] and
// a zone: Z, z, +hh:mm, +hhmm, +hh, or none for UTC. The fraction follows a point or a comma and has up to
// nine digits. Second 60 (a leap second) is read as the first second of the next minute. Absent for any other
// text and for dates that do not exist.
std::optional<Timestamp> parse_timestamp(std::string_view text);

// 2018-11-08T07:41:31.055Z. The fraction is omitted, or has 3, 6 or 9 digits.
std::string to_text(Timestamp t);

}  // namespace ergon
