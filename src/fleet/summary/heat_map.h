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

}  // namespace ergon::fleet
