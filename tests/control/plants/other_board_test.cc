#include "control/plants/other_board.h"

#include <cmath>

#include <gtest/gtest.h>

#include "device/twin/catalog.h"

namespace ergon::control {
namespace {

using device::Specification;

// The varied parameters relative to their nominal values.
std::vector<double> ratios(const Specification& board, const Specification& nominal) {
  const auto &p = board.power, &q = nominal.power;
  return {(p.busy / q.busy).si(),
          (p.resident / q.resident).si(),
          (p.bare / q.bare).si(),
          (p.memory / q.memory).si(),
          (p.simt_flop / q.simt_flop).si(),
          (p.tensor_flop / q.tensor_flop).si(),
          (p.half_flop / q.half_flop).si(),
          board.kernels.stream / nominal.kernels.stream,
          board.kernels.tensor / nominal.kernels.tensor,
          board.kernels.simt / nominal.kernels.simt,
          (board.host.inference / nominal.host.inference).si()};
}

TEST(OtherBoard, IsReproducibleForASeed) {
  const auto nominal = device::find_device("v100").value();
  EXPECT_EQ(ratios(other_board(nominal, 7), nominal), ratios(other_board(nominal, 7), nominal));
  EXPECT_NE(ratios(other_board(nominal, 7), nominal), ratios(other_board(nominal, 8), nominal));
}

TEST(OtherBoard, HasTheStatedDeviations) {
  auto nominal = device::find_device("v100").value();
  // Far from their upper bound.
  nominal.kernels.stream = nominal.kernels.tensor = nominal.kernels.simt = 0.5;
  constexpr int kBoards = 2000;
  std::vector<double> sums(11), squares(11);
  for (int seed = 0; seed < kBoards; ++seed) {
    const Specification board = other_board(nominal, static_cast<std::uint64_t>(seed));
    const auto all = ratios(board, nominal);
    for (std::size_t i = 0; i < all.size(); ++i) {
      sums[i] += std::log(all[i]);
      squares[i] += std::log(all[i]) * std::log(all[i]);
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double expected = i + 1 == sums.size() ? 0.15 : 0.05;
    EXPECT_NEAR(sums[i] / kBoards, 0, expected / 8) << i;
    EXPECT_NEAR(std::sqrt(squares[i] / kBoards), expected, expected / 8) << i;
  }
}

TEST(OtherBoard, DoesNotExceedPeaks) {
  auto nominal = device::find_device("v100").value();
  nominal.kernels.stream = nominal.kernels.tensor = nominal.kernels.simt = 0.99;
  int at_peak = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto kernels = other_board(nominal, seed).kernels;
    for (const double share : {kernels.stream, kernels.tensor, kernels.simt}) {
      EXPECT_LE(share, 1);
      at_peak += share == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(at_peak, 10);
}

TEST(OtherBoard, LeavesOtherParametersUnchanged) {
  const auto nominal = device::find_device("v100").value();
  const Specification board = other_board(nominal, 3);
  EXPECT_EQ(board.name, nominal.name);
  EXPECT_EQ(board.core.max, nominal.core.max);
  EXPECT_EQ(board.memory.capacity, nominal.memory.capacity);
  EXPECT_EQ(board.memory.bandwidth, nominal.memory.bandwidth);
  EXPECT_EQ(board.limit.default_limit, nominal.limit.default_limit);
  EXPECT_EQ(board.power.leakage, nominal.power.leakage);
  EXPECT_EQ(board.host.training, nominal.host.training);
}

}  // namespace
}  // namespace ergon::control
