#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ergon::sweep {

// Values of one network, by clock: one list of repetitions per clock, empty where there is none.
using NetworkRuns = std::vector<std::vector<double>>;

// How much of the variance of a quantity goes with the network, with the clock, with how the clock works on
// this network rather than that (interaction), and with repetition. The shares add up to 1.
struct VarianceShares {
  double network = 0, clock = 0, interaction = 0;
  std::optional<double> residual;  // absent with single runs: then it is part of the interaction
  double total = 0;                // the variance that is shared out

  // What it rests on.
  std::int64_t networks = 0, clocks = 0, runs = 0;
  std::int64_t networks_left_out = 0, clocks_left_out = 0;

  friend bool operator==(const VarianceShares&, const VarianceShares&) = default;
};

// Contract: all networks have the same clocks, some of them perhaps without runs. Absent where fewer than two
// networks share two clocks, or nothing varies.
std::optional<VarianceShares> decompose(const std::vector<NetworkRuns>& networks);

}  // namespace ergon::sweep
