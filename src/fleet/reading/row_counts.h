#pragma once

#include <cstdint>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// Numbers of rows of one kind of log, with the reasons for which rows or values were not used.
struct RowCounts {
  std::uint64_t rows = 0;       // all rows except blank lines
  std::uint64_t malformed = 0;  // too few fields, or an unterminated quote
  std::uint64_t bad_time = 0;
  std::uint64_t bad_type = 0;                // neither START nor STOP
  std::uint64_t nameless = 0;                // no host, event or GPU
  std::uint64_t cut_off = 0;                 // an incomplete last line
  std::uint64_t without_zone = 0;            // timestamps without a time zone, read with --time-zone
  std::uint64_t simulated = 0;               // rows that are marked as simulated
  PerMetric<std::uint64_t> not_available{};  // "[N/A]" and other text
  PerMetric<std::uint64_t> out_of_range{};   // outside kPlausibleRanges

  // Rows with a valid timestamp.
  std::uint64_t timed() const { return rows - malformed - bad_time - cut_off; }

  RowCounts& operator+=(const RowCounts& more) {
    rows += more.rows;
    malformed += more.malformed;
    bad_time += more.bad_time;
    bad_type += more.bad_type;
    nameless += more.nameless;
    cut_off += more.cut_off;
    without_zone += more.without_zone;
    simulated += more.simulated;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      not_available[m] += more.not_available[m];
      out_of_range[m] += more.out_of_range[m];
    }
    return *this;
  }
  friend bool operator==(const RowCounts&, const RowCounts&) = default;
};

}  // namespace ergon::fleet
