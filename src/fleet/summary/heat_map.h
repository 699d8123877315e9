#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/tally.h"

namespace ergon::fleet {

// Power and utilization of each host over time: the sum of power and the mean utilization of its GPUs. Absent
// without samples.
struct HeatMap {
  static constexpr std::size_t kMaxBins = 128;
  static constexpr std::size_t kMaxHosts = 1024;

  Timestamp start;
  Seconds bin{0};
  std::vector<std::string> hosts;
  std::uint64_t hosts_omitted = 0;  // all after the first kMaxHosts, in order of name
  std::vector<std::vector<std::optional<double>>> watts, percent;  // by host, then by bin
};

HeatMap heat_map_of(const Tally& tally);

// Power and utilization of the whole fleet over time, from the same samples.
struct FleetOverTime {
  static constexpr std::size_t kMaxRows = 32;

  struct Row {
    Timestamp start;
    std::uint64_t gpus = 0;         // with power in this row
    std::optional<double> watts;    // sum over GPUs of their means
    std::optional<double> percent;  // mean over GPUs with utilization
  };
  Seconds bin{0};
  std::vector<Row> rows;  // in order of time; without samples, a row has no values
};

FleetOverTime fleet_over_time(const Tally& tally);

}  // namespace ergon::fleet
