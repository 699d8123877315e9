#include "sweep/evaluation/variance.h"

#include <gtest/gtest.h>

#include "sweep/evaluation/noise.h"

namespace ergon::sweep {
namespace {

double sum(const VarianceShares& shares) {
  return shares.network + shares.clock + shares.interaction + shares.residual.value_or(0);
}

// Two networks at two clocks, twice: the variances of the four parts are 4, 1, 0.25 and 0.01.
std::vector<NetworkRuns> known() {
  std::vector<NetworkRuns> table(2, NetworkRuns(2));
  for (const int i : {0, 1}) {
    for (const int j : {0, 1}) {
      const double network = i == 0 ? -2 : 2, clock = j == 0 ? -1 : 1, both = i == j ? 0.5 : -0.5;
      for (const double repetition : {-0.1, 0.1})
        table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].push_back(100 + network + clock +
                                                                                  both + repetition);
    }
  }
  return table;
}

TEST(VarianceDecomposition, RecoversAKnownDecomposition) {
  const auto shares = decompose(known());
  ASSERT_TRUE(shares);
  EXPECT_NEAR(shares->total, 5.26, 1e-9);
  EXPECT_NEAR(shares->network, 4 / 5.26, 1e-9);
  EXPECT_NEAR(shares->clock, 1 / 5.26, 1e-9);
  EXPECT_NEAR(shares->interaction, 0.25 / 5.26, 1e-9);
  ASSERT_TRUE(shares->residual);
  EXPECT_NEAR(*shares->residual, 0.01 / 5.26, 1e-9);
  EXPECT_EQ(shares->runs, 8);
}

TEST(VarianceDecomposition, OneRepetitionHasNoResidual) {
  auto table = known();
  for (auto& network : table) {
    for (auto& runs : network) runs.resize(1);
  }
  const auto shares = decompose(table);
  ASSERT_TRUE(shares);
  EXPECT_FALSE(shares->residual);
  EXPECT_NEAR(sum(*shares), 1, 1e-12);
}

TEST(VarianceDecomposition, CellsHaveEqualWeight) {
  auto table = known();
  const auto before = decompose(table);
  const auto runs = table[0][1];
  table[0][1].insert(table[0][1].end(), runs.begin(), runs.end());
  const auto after = decompose(table);
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(before->network, after->network, 1e-12);
  EXPECT_NEAR(*before->residual, *after->residual, 1e-12);
  EXPECT_EQ(after->runs, 10);
}

// A network without most clocks is removed, and a clock that one network lacks.
TEST(VarianceDecomposition, ATableWithMissingCellsIsReduced) {
  Noise noise(3);
  std::vector<NetworkRuns> table(5, NetworkRuns(10));
  for (auto& network : table) {
    for (auto& runs : network) runs = {noise(), noise()};
  }
  std::vector<NetworkRuns> expected(table.begin(), table.begin() + 4);
  for (auto& network : expected) network.erase(network.begin() + 6);
  for (std::size_t j = 2; j < 10; ++j) table[4][j].clear();
  table[1][6].clear();
  const auto shares = decompose(table), full = decompose(expected);
  ASSERT_TRUE(shares && full);
  EXPECT_EQ(shares->networks, 4);
  EXPECT_EQ(shares->clocks, 9);
  EXPECT_EQ(shares->networks_excluded, 1);
  EXPECT_EQ(shares->clocks_excluded, 1);
  EXPECT_EQ(shares->network, full->network);
  EXPECT_EQ(shares->interaction, full->interaction);
}

TEST(VarianceDecomposition, SingleRunsCountAsMissingUnlessTheyAreTheMajority) {
  auto table = known();
  table[0].resize(4, {1, 2});
  table[1].resize(4, {3, 5});
  table[1][3] = {4};
  const auto few = decompose(table);
  ASSERT_TRUE(few);
  EXPECT_EQ(few->clocks, 3);
  EXPECT_TRUE(few->residual);
  for (std::size_t j = 1; j < 4; ++j) table[0][j].resize(1);
  const auto most = decompose(table);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->clocks, 4);
  EXPECT_FALSE(most->residual);
}

TEST(VarianceDecomposition, NeedsTwoNetworksAtTwoClocks) {
  EXPECT_FALSE(decompose({}));
  EXPECT_FALSE(decompose({{{1}, {2}}}));
  EXPECT_FALSE(decompose({{{1}}, {{2}}}));
  EXPECT_FALSE(decompose({{{1}, {}}, {{}, {2}}}));  // not at the same clocks
  EXPECT_FALSE(decompose({{{1}, {1}}, {{1}, {1}}}));
}

}  // namespace
}  // namespace ergon::sweep
