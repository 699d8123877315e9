#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/timestamp.h"

namespace ergon::fleet {

// Times as logs write them: ISO 8601, nvidia-smi's 2018/11/08 07:41:31.055, or seconds (milliseconds,
// microseconds, nanoseconds, by their size) since 1970.
class MomentReader {
 public:
  // `zone`: what a time without one is ahead of UTC.
  explicit MomentReader(std::int64_t zone_ns = 0) : zone_ns_(zone_ns) {}

  std::optional<Timestamp> read(std::string_view text);

  // How many times came without a zone.
  std::uint64_t zoneless() const { return zoneless_; }

 private:
  std::optional<Timestamp> read_usual(std::string_view text);
  std::optional<Timestamp> read_other(std::string_view text);

  std::int64_t zone_ns_;
  std::uint64_t zoneless_ = 0;
  char day_[10] = {};  // the last date, and when it began
  std::int64_t day_ns_ = 0;
};

// A number with or without a unit behind it ("75.31 W", "45 %", "1.2 kW"); nothing where it is none, as in
// "[N/A]", or the unit is another.
std::optional<double> read_value(std::string_view text);

// "+02:00", "-0530", "Z": what is ahead of UTC.
std::optional<std::int64_t> read_zone(std::string_view text);

}  // namespace ergon::fleet
