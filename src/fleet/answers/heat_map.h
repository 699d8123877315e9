#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/tally.h"

namespace ergon::fleet {

// Every host over time: the power of its GPUs added up, their utilisation in the mean. Nothing where no
// sample tells.
struct HeatMap {
  static constexpr std::size_t kMostBins = 128;
  static constexpr std::size_t kMostHosts = 1024;

  Timestamp start;
  Seconds bin{0};
  std::vector<std::string> hosts;
  std::uint64_t hosts_left_out = 0;                                // beyond kMostHosts, by name
  std::vector<std::vector<std::optional<double>>> watts, percent;  // by host, then by bin
};

HeatMap heat_map_of(const Tally& tally);

}  // namespace ergon::fleet
