#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ergon::sweep {

// Values of one network: a list of repetitions per clock, which may be empty.
using NetworkRuns = std::vector<std::vector<double>>;

// Shares of the variance of a quantity that are due to the network, the clock, their interaction and
// repetition. They add up to 1.
struct VarianceShares {
  double network = 0, clock = 0, interaction = 0;
  std::optional<double> residual;  // absent with single runs: part of the interaction
  double total = 0;                // total variance

  // Number of networks, clocks and runs in the decomposition.
  std::int64_t networks = 0, clocks = 0, runs = 0;
  std::int64_t networks_excluded = 0, clocks_excluded = 0;

  friend bool operator==(const VarianceShares&, const VarianceShares&) = default;
};

// Contract: all networks have the same number of clocks; entries may be empty. Absent if fewer than two
// networks share two clocks, or if all values are equal.
std::optional<VarianceShares> decompose(const std::vector<NetworkRuns>& networks);

}  // namespace ergon::sweep
