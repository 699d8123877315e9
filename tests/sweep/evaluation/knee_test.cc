#include "sweep/evaluation/knee.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "sweep/evaluation/noise.h"

namespace ergon::sweep {
namespace {

using Values = std::vector<double>;

Values clocks(std::size_t count) {
  Values x;
  for (std::size_t i = 0; i < count; ++i)
    x.push_back(500 + 900 * static_cast<double>(i) / static_cast<double>(count - 1));
  return x;
}

Values bent(const Values& x, double at, double below, double above) {
  Values y;
  for (const double f : x) y.push_back(80 + below * f + (above - below) * std::max(0.0, f - at));
  return y;
}

Values noisy(Values y, Noise& noise, double deviation) {
  for (double& value : y) value += deviation * noise();
  return y;
}

double product(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// `values` without their projection on `direction`.
Values orthogonal(Values values, const Values& direction) {
  const double share = product(values, direction) / product(direction, direction);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= share * direction[i];
  return values;
}

// Squared error of two lines that meet at `at`, computed independently: what remains of y without its
// projections on 1, x and the hinge, which Gram-Schmidt makes orthogonal.
double error_at(const Values& x, const Values& y, double at) {
  const Values ones(x.size(), 1.0), centered = orthogonal(x, ones);
  Values hinge;
  for (const double f : x) hinge.push_back(std::max(0.0, f - at));
  hinge = orthogonal(orthogonal(hinge, ones), centered);
  const Values rest = orthogonal(orthogonal(orthogonal(y, ones), centered), hinge);
  return product(rest, rest);
}

TEST(Knee, FindsAKnownBendExactly) {
  const Values x = clocks(20);
  for (const double at : {700.0, 1000.0, x[7], 1234.5}) {
    const auto knee = find_knee(x, bent(x, at, 0.05, 0.2));
    ASSERT_TRUE(knee) << at;
    EXPECT_NEAR(knee->at, at, 1e-6);
    EXPECT_NEAR(knee->slope_below, 0.05, 1e-9);
    EXPECT_NEAR(knee->slope_above, 0.2, 1e-9);
    EXPECT_LE(knee->low, knee->at);
    EXPECT_GE(knee->high, knee->at);
    EXPECT_LT(knee->high - knee->low, 1);
  }
}

TEST(Knee, ALineHasNoKnee) {
  const Values x = clocks(30);
  EXPECT_FALSE(find_knee(x, bent(x, 900, 0.1, 0.1)));
  EXPECT_FALSE(find_knee(x, Values(30, 7.0)));
}

TEST(Knee, ADownwardBendIsNotAKnee) {
  const Values x = clocks(30);
  EXPECT_FALSE(find_knee(x, bent(x, 900, 0.2, 0.01)));
}

TEST(Knee, NeedsSixPoints) {
  const Values five = clocks(5), six = clocks(6);
  EXPECT_FALSE(find_knee(five, bent(five, 900, 0.01, 1)));
  EXPECT_TRUE(find_knee(six, bent(six, 900, 0.01, 1)));
}

TEST(Knee, IsTheBestFitAndTheIntervalHoldsAcceptableFits) {
  const Values x = clocks(40);
  Noise noise(11);
  for (int round = 0; round < 20; ++round) {
    const Values y = noisy(bent(x, 1050, 0.03, 0.12), noise, 2.5);
    const auto knee = find_knee(x, y);
    ASSERT_TRUE(knee);
    const double least = error_at(x, y, knee->at);
    EXPECT_NEAR(least, knee->residual_deviation * knee->residual_deviation * (40 - 4), 1e-6 * least);
    const double allowed = error_at(x, y, knee->low);
    EXPECT_GT(allowed, least);
    EXPECT_LT(knee->high, x[x.size() - 2]);
    EXPECT_NEAR(error_at(x, y, knee->high), allowed, 1e-6 * allowed);
    for (double at = x[1]; at <= x[x.size() - 2]; at += 0.5) {
      const double error = error_at(x, y, at);
      EXPECT_GE(error, least * (1 - 1e-9)) << at;
      const bool outside = at < knee->low - 1e-6 || at > knee->high + 1e-6;
      EXPECT_TRUE(!outside || error >= allowed * (1 - 1e-9)) << at;
    }
  }
}

struct Coverage {
  int found = 0, covered = 0;
  double share() const { return static_cast<double>(covered) / found; }
};

Coverage coverage(std::size_t count, double carried, double deviation) {
  const Values x = clocks(count);
  const double truth = 1040;
  Noise noise(count, carried);
  Coverage result;
  for (int round = 0; round < 1000; ++round) {
    const auto knee = find_knee(x, noisy(bent(x, truth, 0.03, 0.15), noise, deviation));
    if (!knee) continue;
    ++result.found;
    result.covered += knee->low <= truth && truth <= knee->high;
  }
  return result;
}

// With 1000 rounds the standard error of 0.95 is 0.007. Widening for chance correlation increases the
// coverage.
TEST(Knee, TheIntervalHasItsNominalCoverage) {
  for (const std::size_t count : {12U, 40U, 196U}) {
    const Coverage result = coverage(count, 0, 1.5);
    EXPECT_GT(result.found, 990) << count;
    EXPECT_GT(result.share(), 0.93) << count;
    EXPECT_LT(result.share(), 0.985) << count;
  }
}

TEST(Knee, TheIntervalCoversWithAutocorrelatedNoise) {
  const Coverage result = coverage(80, 0.6, 1.5);
  EXPECT_GT(result.found, 950);
  EXPECT_GT(result.share(), 0.90);
  EXPECT_LT(result.share(), 0.99);
}

// Rate of false positives.
double false_alarms(std::size_t count, double carried) {
  const Values x = clocks(count);
  Noise noise(7 + count, carried);
  int found = 0;
  for (int round = 0; round < 1000; ++round)
    found += find_knee(x, noisy(bent(x, 1000, 0.1, 0.1), noise, 2)).has_value();
  return found / 1000.0;
}

TEST(Knee, NoiseAroundALineIsRarelyAKnee) {
  EXPECT_LT(false_alarms(10, 0), 0.05);
  EXPECT_LT(false_alarms(61, 0), 0.05);
  EXPECT_LT(false_alarms(61, 0.5), 0.05);
}

// A parabola bends everywhere; a better position is due to noise.
TEST(Knee, AParabolaHasNoKnee) {
  const auto share = [](std::size_t count) {
    const Values x = clocks(count);
    Noise noise(3 + count);
    int found = 0;
    for (int round = 0; round < 800; ++round) {
      Values y;
      for (const double f : x) y.push_back(80 + 150 * std::pow((f - 500) / 900, 2) + 3 * noise());
      found += find_knee(x, y).has_value();
    }
    return found / 800.0;
  };
  EXPECT_LT(share(12), 0.10);
  EXPECT_LT(share(20), 0.05);
  EXPECT_LT(share(61), 0.005);
}

// With twice the noise of the coverage test, a knee is still distinguished from a parabola.
TEST(Knee, AKneeIsDistinguishedFromAParabola) {
  for (const auto& [count, least] : {std::pair<std::size_t, int>{12, 850}, {20, 950}, {61, 990}}) {
    const Values x = clocks(count);
    Noise noise(5 + count);
    int found = 0;
    for (int round = 0; round < 1000; ++round)
      found += find_knee(x, noisy(bent(x, 1040, 0.03, 0.15), noise, 3)).has_value();
    EXPECT_GT(found, least) << count;
  }
}

}  // namespace
}  // namespace ergon::sweep
