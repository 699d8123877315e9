#include "sweep/evaluation/association.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/statistics/bootstrap.h"
#include "base/statistics/correlation.h"
#include "sweep/evaluation/noise.h"

namespace ergon::sweep {
namespace {

using Values = std::vector<double>;

std::pair<Values, Values> cloud(std::size_t count, std::uint64_t seed, bool ties) {
  Noise noise(seed);
  Values x, y;
  for (std::size_t i = 0; i < count; ++i) {
    x.push_back(static_cast<double>(ties ? i / 3 : i));
    y.push_back(0.1 * x.back() + (ties ? std::round(2 * noise()) : noise()));
  }
  return {x, y};
}

// Counted ranks give bit-identical intervals to ranks that are sorted for every resample.
TEST(Association, EqualsThePlainBootstrap) {
  for (const bool ties : {false, true}) {
    const auto both = cloud(40, 5, ties);
    const Values &x = both.first, &y = both.second;
    AssociationOptions options;
    options.resamples = 500;
    const auto result = correlate(x, y, options);
    ASSERT_TRUE(result);
    const auto plain = [&](auto correlation) {
      return *statistics::bootstrap(x.size(),
                                    [&](std::span<const std::size_t> indices) {
                                      Values xs, ys;
                                      for (const std::size_t i : indices) {
                                        xs.push_back(x[i]);
                                        ys.push_back(y[i]);
                                      }
                                      return correlation(xs, ys);
                                    },
                                    {500, 0.95, options.seed, {}});
    };
    const auto pearson = plain(statistics::pearson), spearman = plain(statistics::spearman);
    EXPECT_EQ(result->pearson, (Coefficient{pearson.estimate, pearson.low, pearson.high}));
    EXPECT_EQ(result->spearman, (Coefficient{spearman.estimate, spearman.low, spearman.high}));
  }
}

TEST(Association, NeedsThreePointsAndFiveForAnInterval) {
  const Values x{1, 2, 3, 4, 5}, y{2, 1, 4, 3, 5};
  const auto first = [](const Values& values, std::size_t n) {
    return Values(values.begin(), values.begin() + static_cast<long>(n));
  };
  EXPECT_FALSE(correlate(first(x, 2), first(y, 2), {}));
  const auto three = correlate(first(x, 3), first(y, 3), {});
  ASSERT_TRUE(three);
  EXPECT_FALSE(three->pearson.low);
  const auto five = correlate(x, y, {});
  ASSERT_TRUE(five);
  ASSERT_TRUE(five->pearson.low);
  EXPECT_NEAR(five->spearman.estimate, 0.8, 1e-12);
  EXPECT_LE(*five->pearson.low, five->pearson.estimate);
  EXPECT_GE(*five->pearson.high, five->pearson.estimate);
}

TEST(Association, AConstantHasNoCorrelation) {
  EXPECT_FALSE(correlate(Values{1, 2, 3, 4}, Values{5, 5, 5, 5}, {}));
}

TEST(Association, TheIntervalCoversTheTruth) {
  // Pairs of correlation 0.6.
  int covered = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    Noise noise(static_cast<std::uint64_t>(round) + 100);
    Values x, y;
    for (int i = 0; i < 60; ++i) {
      x.push_back(noise());
      y.push_back(0.6 * x.back() + 0.8 * noise());
    }
    AssociationOptions options;
    options.resamples = 400;
    const auto result = correlate(x, y, options);
    ASSERT_TRUE(result && result->pearson.low);
    covered += *result->pearson.low <= 0.6 && 0.6 <= *result->pearson.high;
  }
  EXPECT_GT(covered, kRounds * 0.90);
  EXPECT_LT(covered, kRounds * 0.99);
}

}  // namespace
}  // namespace ergon::sweep
