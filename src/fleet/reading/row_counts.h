#pragma once

#include <cstdint>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// What was read of a kind of log, and what was not, by reason.
struct RowCounts {
  std::uint64_t rows = 0;       // all that were met, blank lines not among them
  std::uint64_t malformed = 0;  // too few fields, or quotes that do not close
  std::uint64_t bad_time = 0;
  std::uint64_t bad_type = 0;                // neither START nor STOP
  std::uint64_t nameless = 0;                // no host, event or GPU
  std::uint64_t cut_off = 0;                 // a last line that is still being written
  std::uint64_t zoneless = 0;                // times without a zone, which were taken for that of --time-zone
  PerMetric<std::uint64_t> not_available{};  // "[N/A]" and its like
  PerMetric<std::uint64_t> absurd{};         // negative, or more than there can be

  // Rows with a time that could be read.
  std::uint64_t timed() const { return rows - malformed - bad_time - cut_off; }

  RowCounts& operator+=(const RowCounts& more) {
    rows += more.rows;
    malformed += more.malformed;
    bad_time += more.bad_time;
    bad_type += more.bad_type;
    nameless += more.nameless;
    cut_off += more.cut_off;
    zoneless += more.zoneless;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      not_available[m] += more.not_available[m];
      absurd[m] += more.absurd[m];
    }
    return *this;
  }
  friend bool operator==(const RowCounts&, const RowCounts&) = default;
};

}  // namespace ergon::fleet
