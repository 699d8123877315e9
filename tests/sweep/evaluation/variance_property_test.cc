#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sweep/evaluation/noise.h"
#include "sweep/evaluation/variance.h"

namespace ergon::sweep {
namespace {

std::vector<NetworkRuns> some_table(std::uint64_t seed) {
  const auto networks = *rc::gen::inRange<std::size_t>(2, 8), clocks = *rc::gen::inRange<std::size_t>(2, 12);
  Noise noise(seed);
  std::vector<NetworkRuns> table(networks, NetworkRuns(clocks));
  for (std::size_t i = 0; i < networks; ++i) {
    for (std::size_t j = 0; j < clocks; ++j) {
      const auto runs = *rc::gen::inRange(0, 8);
      for (int k = 0; k < std::min(runs, 3); ++k)
        table[i][j].push_back(5 * static_cast<double>(i) - 2 * static_cast<double>(j) + noise());
    }
  }
  return table;
}

RC_GTEST_PROP(VarianceProperty, SharesAddUpToOneAndAreNotNegative, (std::uint64_t seed)) {
  const auto shares = decompose(some_table(seed));
  RC_PRE(shares.has_value());
  for (const double share :
       {shares->network, shares->clock, shares->interaction, shares->residual.value_or(0)})
    RC_ASSERT(share >= 0 && share <= 1);
  RC_ASSERT(std::abs(shares->network + shares->clock + shares->interaction + shares->residual.value_or(0) -
                     1) < 1e-12);
}

RC_GTEST_PROP(VarianceProperty, DoesNotDependOnOffsetOrUnit, (std::uint64_t seed)) {
  const auto table = some_table(seed);
  const auto shares = decompose(table);
  RC_PRE(shares.has_value());
  const double scale = *rc::gen::inRange(1, 1000) / 10.0, shift = *rc::gen::inRange(-1000, 1000);
  auto moved = table;
  for (auto& network : moved) {
    for (auto& runs : network) {
      for (double& run : runs) run = shift + scale * run;
    }
  }
  const auto other = decompose(moved);
  RC_ASSERT(other.has_value());
  RC_ASSERT(std::abs(other->network - shares->network) < 1e-9);
  RC_ASSERT(std::abs(other->clock - shares->clock) < 1e-9);
  RC_ASSERT(std::abs(other->total - scale * scale * shares->total) < 1e-9 * other->total);
}

// Networks and clocks are symmetric.
RC_GTEST_PROP(VarianceProperty, IsSymmetricUnderTransposition, (std::uint64_t seed)) {
  auto table = some_table(seed);
  for (auto& network : table) {
    for (auto& runs : network) {
      if (runs.empty()) runs.push_back(1);
    }
  }
  for (auto& network : table) {
    for (auto& runs : network) runs.push_back(runs.front() + 0.5);
  }
  std::vector<NetworkRuns> turned(table.front().size(), NetworkRuns(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = 0; j < table[i].size(); ++j) turned[j][i] = table[i][j];
  }
  const auto shares = decompose(table), other = decompose(turned);
  RC_ASSERT(shares && other);
  RC_ASSERT(std::abs(shares->network - other->clock) < 1e-9);
  RC_ASSERT(std::abs(shares->clock - other->network) < 1e-9);
  RC_ASSERT(std::abs(shares->interaction - other->interaction) < 1e-9);
  RC_ASSERT(std::abs(*shares->residual - *other->residual) < 1e-9);
}

}  // namespace
}  // namespace ergon::sweep
