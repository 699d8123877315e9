#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/timestamp.h"

namespace ergon::fleet {

// Reads timestamps of logs: ISO 8601, nvidia-smi's 2018/11/08 07:41:31.055, or a number since 1970 in
// seconds, milliseconds, microseconds or nanoseconds; the unit follows from its size.
class TimestampReader {
 public:
  // `zone_ns`: offset from UTC of timestamps without a time zone.
  explicit TimestampReader(std::int64_t zone_ns = 0) : zone_ns_(zone_ns) {}

  std::optional<Timestamp> read(std::string_view text);

  // Number of timestamps without a time zone.
  std::uint64_t without_zone() const { return without_zone_; }

 private:
  std::optional<Timestamp> read_iso_milliseconds(std::string_view text);
  std::optional<Timestamp> read_other(std::string_view text);

  std::int64_t zone_ns_;
  std::uint64_t without_zone_ = 0;
  char day_[10] = {};  // the last date, as text and as time of its midnight
  std::int64_t day_ns_ = 0;
};

// A number with or without a unit ("75.31 W", "45 %", "1.2 kW"). Absent if it is not a number ("[N/A]") or
// has another unit.
std::optional<double> read_value(std::string_view text);

// Whether a cell of a column "simulated" marks its row: "true", "1" or "yes", in any letter case.
bool is_simulated_mark(std::string_view text);

// "+02:00", "-0530", "Z": offset from UTC in nanoseconds.
std::optional<std::int64_t> read_zone(std::string_view text);

}  // namespace ergon::fleet
