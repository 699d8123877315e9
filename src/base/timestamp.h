#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace ergon {

// later - earlier, exact in nanoseconds before it becomes a double, and without overflow whatever they are.
constexpr Seconds seconds_between(std::int64_t earlier_ns, std::int64_t later_ns) {
  const auto distance = [](std::int64_t low, std::int64_t high) {
    return static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 1e9;
  };
  return Seconds{later_ns >= earlier_ns ? distance(earlier_ns, later_ns) : -distance(later_ns, earlier_ns)};
}

// A moment of the civil calendar: nanoseconds since 1970-01-01T00:00:00Z, good for the years 1678 to 2261.
struct Timestamp {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
  friend constexpr Seconds operator-(Timestamp a, Timestamp b) { return seconds_between(b.ns, a.ns); }
};

// Reads ISO 8601: 2018-11-08, or a date, 'T', 't' or a blank, hh:mm[:ss[.fraction]], and Z, z, +hh:mm, +hhmm,
// +hh or nothing (which means UTC). A fraction, behind a point or a comma, may have up to nine digits; second
// 60 is the next minute's first. Nothing if the text is anything else or no such day exists.
std::optional<Timestamp> parse_timestamp(std::string_view text);

// 2018-11-08T07:41:31.055Z, with no fraction or with as many groups of three digits as it needs.
std::string to_text(Timestamp t);

}  // namespace ergon
