// A synthetic sensor that returns the mean of the last second every 0.1 s, and the power after undoing the
// averaging.

#include "meter/running_mean.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "meter/simulated_work.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;

constexpr std::size_t kPeriods = 10;  // per averaging window

Instant at_period(double periods) { return Instant{} + 100_ms * periods; }

SensorFacts slow_sensor() {
  SensorFacts facts;
  facts.period = 100_ms;
  facts.window = 1_s;
  facts.noise = 0.5_W;
  return facts;
}

SensorUpdate mean_at(std::size_t period, double watts) {
  const Joules noise = 0.5_W * 100_ms;
  return {at_period(static_cast<double>(period)), 20_ms, Watts{watts}, 1_s, noise * noise, {}};
}

// Power of each period; before the first, equal to the first.
std::vector<double> means_of(const std::vector<double>& powers) {
  std::vector<double> means;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < kPeriods; ++j) sum += powers[i >= j ? i - j : 0];
    means.push_back(sum / kPeriods);
  }
  return means;
}

struct Undone {
  std::vector<SensorUpdate> updates;

  // Power of the period that ended there; all periods are final.
  double power_of(std::size_t period) const {
    for (const SensorUpdate& update : updates) {
      if (std::fabs((update.at - at_period(static_cast<double>(period))).si()) < 0.01)
        return update.power.si();
    }
    ADD_FAILURE() << "no update for period " << period;
    return 0;
  }
};

Undone undo(const std::vector<double>& means, const std::function<bool(std::size_t)>& missed = nullptr) {
  RunningMean running(slow_sensor());
  Undone undone;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (missed && missed(i)) continue;
    for (const SensorUpdate& update : running.add(mean_at(i, means[i]))) undone.updates.push_back(update);
  }
  return undone;
}

std::vector<double> with_noise(std::vector<double> means, Random& random) {
  for (double& mean : means) mean += 0.5 * random.normal();
  return means;
}

TEST(RunningMean, AConstantStaysConstant) {
  const Undone undone = undo(means_of(std::vector<double>(100, 123)));
  ASSERT_GE(undone.updates.size(), 90U);
  for (const SensorUpdate& update : undone.updates) ASSERT_NEAR(update.power.si(), 123, 1e-9);
}

TEST(RunningMean, ReturnsOneUpdatePerInputAWindowLater) {
  RunningMean running(slow_sensor());
  std::optional<Instant> last;
  for (std::size_t i = 0; i < 50; ++i) {
    const auto updates = running.add(mean_at(i, 100));
    ASSERT_EQ(updates.size(), i == 0 ? 0U : 1U);
    for (const SensorUpdate& update : updates) {
      EXPECT_EQ(update.window, 100_ms);
      EXPECT_EQ(update.at, at_period(static_cast<double>(i) - kPeriods));
      EXPECT_TRUE(!last || update.at > *last);
      last = update.at;
    }
  }
}

TEST(RunningMean, HasAFullWindowAfterAllPeriods) {
  RunningMean running(slow_sensor());
  EXPECT_FALSE(running.has_full_window());
  for (std::size_t i = 0; i < kPeriods; ++i) {
    (void)running.add(mean_at(i, 100));
    EXPECT_FALSE(running.has_full_window()) << i;
  }
  (void)running.add(mean_at(kPeriods, 100));
  EXPECT_TRUE(running.has_full_window());
}

TEST(RunningMean, AStepIsFoundAtItsTime) {
  for (const double after : {300.0, 20.0}) {
    std::vector<double> powers(100, 60);
    std::fill(powers.begin() + 40, powers.end(), after);
    const Undone undone = undo(means_of(powers));
    for (std::size_t i = 0; i < 85; ++i) ASSERT_NEAR(undone.power_of(i), powers[i], 8) << "period " << i;
  }
}

TEST(RunningMean, AStepInsideAPeriodGivesItsMean) {
  std::vector<double> powers(100, 60);
  powers[40] = 60 + 240 * 0.3;
  std::fill(powers.begin() + 41, powers.end(), 300);
  const Undone undone = undo(means_of(powers));
  for (std::size_t i = 0; i < 85; ++i) ASSERT_NEAR(undone.power_of(i), powers[i], 8) << "period " << i;
}

TEST(RunningMean, ResolvesPulsesShorterThanTheWindow) {
  std::vector<double> powers(200, 50);
  for (std::size_t i = 30; i + 3 < powers.size(); i += 9)
    std::fill_n(powers.begin() + static_cast<std::ptrdiff_t>(i), 3, 350);
  Random random(1);
  const Undone undone = undo(with_noise(means_of(powers), random));
  for (std::size_t i = 0; i < 180; ++i) {
    ASSERT_NEAR(undone.power_of(i), powers[i], 30) << "period " << i;
  }
}

TEST(RunningMean, MissedUpdatesAreInterpolated) {
  std::vector<double> powers(200, 60);
  std::fill(powers.begin() + 50, powers.begin() + 120, 300);
  const Undone undone = undo(means_of(powers), [](std::size_t i) { return i % 7 == 3; });
  Joules told, truth;
  for (std::size_t i = 20; i < 180; ++i) {
    told += Watts{undone.power_of(i)} * 100_ms;
    truth += Watts{powers[i]} * 100_ms;
    if (i < 48 || (i > 53 && i < 118) || i > 123) {
      ASSERT_NEAR(undone.power_of(i), powers[i], 15) << i;
    }
  }
  EXPECT_NEAR((told / truth).si(), 1, 0.005);
}

TEST(RunningMean, RestartsAfterALongGap) {
  std::vector<double> powers(300, 60);
  std::fill(powers.begin() + 100, powers.end(), 250);
  const Undone undone = undo(means_of(powers), [](std::size_t i) { return i > 80 && i < 200; });
  EXPECT_NEAR(undone.power_of(60), 60, 1);
  EXPECT_NEAR(undone.power_of(80), 60, 5) << "periods before the gap are returned";
  EXPECT_NEAR(undone.power_of(280), 250, 1);
  for (std::size_t i = 1; i < undone.updates.size(); ++i) {
    ASSERT_GT(undone.updates[i].at, undone.updates[i - 1].at);
  }
}

// The exact inverse would repeat every error forever.
TEST(RunningMean, StaysStableUnderAnHourOfNoise) {
  Random random(3);
  constexpr std::size_t kHour = 36000;
  const Undone undone = undo(with_noise(std::vector<double>(kHour, 200), random));
  const auto rms_of = [&](std::size_t first, std::size_t count) {
    double squares = 0;
    for (std::size_t i = first; i < first + count; ++i) {
      squares += (undone.updates[i].power.si() - 200) * (undone.updates[i].power.si() - 200);
    }
    return std::sqrt(squares / static_cast<double>(count));
  };
  EXPECT_LT(rms_of(100, 1000), 3);
  EXPECT_LT(rms_of(kHour - 1100, 1000), 3);
  for (const SensorUpdate& update : undone.updates) ASSERT_NEAR(update.power.si(), 200, 20);
}

TEST(RunningMean, StaysStableUnderAnHourOfVaryingLoad) {
  Random random(4);
  std::vector<double> powers;
  while (powers.size() < 36000)
    powers.insert(powers.end(), 1 + random.below(40), 50 + 250 * random.uniform());
  const Undone undone = undo(with_noise(means_of(powers), random));
  for (const std::size_t first : {1000U, 34000U}) {
    double squares = 0;
    for (std::size_t i = first; i < first + 1000; ++i) {
      squares += std::pow(undone.power_of(i) - powers[i], 2) / 1000;
    }
    EXPECT_LT(std::sqrt(squares), 20) << first;
  }
}

TEST(RunningMean, SumsOverWholeWindowsEqualTheReadings) {
  Random random(5);
  std::vector<double> powers;
  while (powers.size() < 3000) powers.insert(powers.end(), 1 + random.below(30), 50 + 250 * random.uniform());
  const auto means = with_noise(means_of(powers), random);
  const Undone undone = undo(means);
  double squares = 0;
  int windows = 0;
  for (std::size_t last = 100; last < 2900; last += 7, ++windows) {
    double sum = 0;
    for (std::size_t i = 0; i < kPeriods; ++i) sum += undone.power_of(last - i) / kPeriods;
    ASSERT_NEAR(sum, means[last], 4) << last;
    squares += (sum - means[last]) * (sum - means[last]);
  }
  EXPECT_LT(std::sqrt(squares / windows), 1) << "as accurate as a reading with 0.5 W of noise";
}

TEST(RunningMean, ReportsTheVariance) {
  Random random(6);
  std::vector<double> powers(300, 60);
  std::fill(powers.begin() + 100, powers.begin() + 200, 300);
  const Undone undone = undo(with_noise(means_of(powers), random));
  for (const SensorUpdate& update : undone.updates) {
    ASSERT_GT(update.noise, JoulesSquared{0});
    ASSERT_GE(update.split, JoulesSquared{0});
    ASSERT_LT(root(update.split), 300_W * 1_s) << "at most the total energy";
  }
}

TEST(RunningMean, AWindowOfOnePeriodIsUnchanged) {
  SensorFacts facts = slow_sensor();
  facts.window = facts.period;
  facts.noise = 0_W;
  RunningMean running(facts);
  std::vector<SensorUpdate> undone;
  const std::vector<double> powers{100, 100, 250, 90, 90, 300, 300, 300};
  for (std::size_t i = 0; i < powers.size(); ++i) {
    for (const SensorUpdate& update : running.add(mean_at(i, powers[i]))) undone.push_back(update);
  }
  ASSERT_EQ(undone.size(), powers.size() - 1);
  for (std::size_t i = 0; i < undone.size(); ++i) EXPECT_NEAR(undone[i].power.si(), powers[i], 1e-9);
}

}  // namespace
}  // namespace ergon::meter
