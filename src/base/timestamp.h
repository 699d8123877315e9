#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace ergon {

// A moment of the civil calendar: nanoseconds since 1970-01-01T00:00:00Z, good for the years 1678 to 2261.
struct Timestamp {
  std::int64_t ns = 0;

  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
  friend constexpr Seconds operator-(Timestamp a, Timestamp b) {
    return Seconds{static_cast<double>(a.ns - b.ns) / 1e9};
  }
};

// Reads ISO 8601: 2018-11-08, or a date, 'T' or a blank, hh:mm[:ss[.fraction]], and Z, +hh:mm, +hhmm, +hh or
// nothing (which means UTC). A fraction may have up to nine digits. Nothing if the text is anything else or
// no such day exists.
std::optional<Timestamp> parse_timestamp(std::string_view text);

// 2018-11-08T07:41:31.055Z, with no fraction or with as many groups of three digits as it needs.
std::string to_text(Timestamp t);

}  // namespace ergon
