#include "control/plants/trace_plant.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/statistics/moments.h"

namespace ergon::control {
namespace {

using namespace ergon::literals;

// 1 and 2 take 40 ms and draw 100 W and 200 W; 4 takes 250 ms and draws 300 W.
BatchTrace three() {
  return {"three", "", {{{1, {}}, 40_ms, 100_W}, {{2, {}}, 40_ms, 200_W}, {{4, {}}, 250_ms, 300_W}}};
}

// Updates at 0, 0.1 s, 0.2 s, ...
TracePlant quiet() { return TracePlant(three(), {.power_noise = 0, .idle = 50_W}); }

Feedback run(TracePlant& plant, std::int64_t batch, int batches, double sensor_updates = 0) {
  return plant.run({batch, {}}, {batches, sensor_updates}).value();
}

double watts(const Feedback& feedback) { return feedback.power ? feedback.power->si() : -1; }

TEST(TracePlant, ReportsStaleValuesUntilTheSensorUpdates) {
  TracePlant plant = quiet();
  EXPECT_EQ(watts(run(plant, 1, 1)), 50);  // until 0.04: still idle
  EXPECT_EQ(watts(run(plant, 2, 1)), 50);  // until 0.08
  // Until 0.16, with an update at 0.1: 40 ms at 100 W, 40 ms at 200 W, 20 ms at 100 W.
  EXPECT_NEAR(watts(run(plant, 1, 2)), 140, 1e-9);
  // Until 0.41: read once, after the updates at 0.2, 0.3 and 0.4.
  EXPECT_NEAR(watts(run(plant, 4, 1)), 300, 1e-9);
  // Until 0.49, at 100 W: the reading is of the previous batch.
  EXPECT_NEAR(watts(run(plant, 1, 2)), 300, 1e-9);
  // Until 0.53, with an update at 0.5: 10 ms at 300 W, 90 ms at 100 W.
  EXPECT_NEAR(watts(run(plant, 1, 1)), 120, 1e-9);
}

TEST(TracePlant, AReadReturnsTheLastUpdate) {
  TracePlant plant(three(), {.power_noise = 0, .idle = 1000_W});
  // Updates: 300 W from 0.1 on. The idle GPU's 1000 W at time 0 are over before the first batch is done.
  EXPECT_NEAR(watts(run(plant, 4, 1)), 300, 1e-9);
  // Until 0.45. After each batch of 40 ms it reports the update of 0.2, 0.3, 0.3, 0.4 and 0.4.
  const Feedback feedback = run(plant, 1, 5);
  EXPECT_NEAR(watts(feedback), 300, 1e-9);
  EXPECT_NEAR(feedback.mean_power.value().si(), (300 + 200 + 200 + 100 + 100) / 5.0, 1e-9);
  EXPECT_NEAR(watts(run(plant, 1, 1)), 100, 1e-9);
}

TEST(TracePlant, FreshUpdatesCoverOnlyTheNewPoint) {
  TracePlant plant = quiet();
  run(plant, 4, 1);  // until 0.25
  // A window and two updates take 0.3 s, eight batches of 40 ms. The update at 0.3 is half from the
  // previous batch.
  const Feedback feedback = run(plant, 1, 1, 2);
  EXPECT_NEAR(feedback.at.si(), 0.57, 1e-12);
  EXPECT_NEAR(feedback.lasted.si(), 0.32, 1e-12);
  EXPECT_EQ(feedback.samples, 8);
  EXPECT_NEAR(watts(feedback), 100, 1e-9);
}

TEST(TracePlant, WithoutFreshUpdatesPowerIsEmpty) {
  TracePlant plant = quiet();
  run(plant, 1, 3);  // until 0.12
  // Until 0.24; before 0.3 no update has its whole window after 0.12.
  const Feedback feedback = run(plant, 2, 1, 0.1);
  EXPECT_NEAR(feedback.at.si(), 0.24, 1e-12);
  EXPECT_FALSE(feedback.power || feedback.mean_power);
  // Staying there until 0.36, the update at 0.3 is fresh although its window began before this decision.
  EXPECT_NEAR(watts(run(plant, 2, 1, 0.1)), 200, 1e-9);
}

TEST(TracePlant, RunsTheRequestedBatches) {
  TracePlant plant = quiet();
  const Feedback feedback = run(plant, 2, 20, 1);
  EXPECT_EQ(feedback.samples, 40);
  EXPECT_NEAR(feedback.lasted.si(), 0.8, 1e-12);
  EXPECT_EQ(feedback.latency, 40_ms);
  EXPECT_EQ(feedback.point, (Point{2, {}}));
  EXPECT_FALSE(feedback.temperature);
  EXPECT_EQ(feedback.cap, 0_W);
  EXPECT_EQ(run(plant, 2, 0).samples, 2);
}

TEST(TracePlant, ReturnsTruePowerSegments) {
  TracePlant plant(three(), {.power_noise = 0.5});
  run(plant, 1, 2);
  run(plant, 4, 1);
  const auto take_power_segments = plant.take_power_segments();
  ASSERT_EQ(take_power_segments.size(), 2U);
  EXPECT_EQ(take_power_segments[0].from, 0_s);
  EXPECT_EQ(take_power_segments[0].to, take_power_segments[1].from);
  EXPECT_EQ(take_power_segments[1].to, plant.now());
  EXPECT_EQ(take_power_segments[0].power, 100_W);
  EXPECT_EQ(take_power_segments[1].power, 300_W);
  EXPECT_TRUE(plant.take_power_segments().empty());
  EXPECT_TRUE(plant.simulated());
}

TEST(TracePlant, NoiseIsRelativePerUpdateAndReproducible) {
  const auto readings = [](std::uint64_t seed) {
    TracePlant plant({"even", "", {{{1, {}}, 100_ms, 200_W}}}, {.seed = seed, .power_noise = 0.02});
    std::vector<double> all;
    for (int i = 0; i < 4000; ++i) all.push_back(watts(run(plant, 1, 1)));
    return all;
  };
  const auto some = readings(7);
  EXPECT_EQ(some, readings(7));
  EXPECT_NE(some, readings(8));
  statistics::Moments moments;
  for (const double each : some) moments.add(each);
  EXPECT_NEAR(moments.mean().value(), 200, 0.3);
  EXPECT_NEAR(moments.standard_deviation().value(), 4, 0.2);
  EXPECT_EQ(std::adjacent_find(some.begin(), some.end()), some.end());  // each update has its own noise
}

TEST(TracePlant, KnobsCoverTheMeasuredRange) {
  EXPECT_EQ(quiet().knobs().batches, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(TracePlant(three(), {.batches = {{2, 4}}}).knobs().batches, (std::vector<std::int64_t>{2, 4}));
  const auto up_to = [](std::int64_t most) {
    return TracePlant({"", "", {{{1, {}}, 1_s, 100_W}, {{most, {}}, 2_s, 200_W}}}).knobs().batches;
  };
  EXPECT_EQ(up_to(512).size(), 512U);
  const auto many = up_to(100'000);
  EXPECT_EQ(many.front(), 1);
  EXPECT_EQ(many.back(), 100'000);
  EXPECT_LE(many.size(), 256U);
  EXPECT_GT(many.size(), 200U);  // the smallest are the same when rounded
  EXPECT_TRUE(std::is_sorted(many.begin(), many.end(), std::less_equal{}));
  EXPECT_NEAR(static_cast<double>(many.back()) / static_cast<double>(many.rbegin()[1]),
              std::pow(1e5, 1 / 255.0), 1e-3);
  EXPECT_NEAR(TracePlant(three()).idle_power().si(), 95, 1e-9);
}

TEST(TracePlant, PointsOutsideTheKnobsViolateTheContract) {
  TracePlant plant = quiet(), few(three(), {.batches = {{1, 4}}});
  EXPECT_DEATH((void)run(plant, 5, 1), "broken contract");
  EXPECT_DEATH((void)plant.run({1, 1_GHz}, {}), "broken contract");
  EXPECT_DEATH((void)run(few, 2, 1), "broken contract");
  EXPECT_DEATH(TracePlant(three(), {.batches = {{4, 1}}}), "broken contract");
}

// Reference implementation: integrates the whole history in steps.
double window_mean(const std::vector<PowerSegment>& take_power_segments, double end, double window,
                   double idle) {
  constexpr int kSteps = 20'000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double t = end - window * (i + 0.5) / kSteps;
    double power = idle;
    for (const PowerSegment& each : take_power_segments) {
      if (each.from.si() <= t && t < each.to.si()) power = each.power.si();
    }
    sum += power;
  }
  return sum / kSteps;
}

TEST(TracePlant, AgreesWithTheReferenceSensor) {
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    const double period = 0.02 + 0.2 * random.uniform(), window = 0.01 + 0.5 * random.uniform();
    TracePlant plant(
        three(),
        {.power_noise = 0, .sensor_period = Seconds{period}, .sensor_window = Seconds{window}, .idle = 50_W});
    std::vector<PowerSegment> take_power_segments;
    double since = 0;
    std::int64_t batch = 0;
    for (int decision = 0; decision < 8; ++decision) {
      const double from = plant.now().si();
      const std::int64_t next = 1 + static_cast<std::int64_t>(random.below(4));
      if (std::exchange(batch, next) != next) since = from;
      const double updates = random.below(2) == 0 ? 0 : 2 * random.uniform();
      const int batches = 1 + static_cast<int>(random.below(5));
      const Feedback feedback = run(plant, next, batches, updates);
      for (const PowerSegment& each : plant.take_power_segments()) take_power_segments.push_back(each);

      const double time = feedback.latency->si(), done = std::round(feedback.lasted.si() / time);
      double expected = -1, sum = 0;
      int powers = 0;
      const auto look = [&](double shown) {
        const double power = window_mean(take_power_segments, shown, window, 50);
        expected = std::max(expected, power);
        sum += power;
        ++powers;
      };
      if (updates == 0) {
        EXPECT_EQ(done, batches);
        for (int i = 1; i <= batches; ++i) look(period * std::floor((from + i * time) / period));
      } else {
        EXPECT_GE(feedback.lasted.si(), window + updates * period - 1e-9);
        EXPECT_TRUE(done == batches || (done - 1) * time < window + updates * period);
        for (int i = 0; period * i <= feedback.at.si(); ++i) {
          if (period * i > from && period * i - window >= since) look(period * i);
        }
      }
      EXPECT_EQ(feedback.mean_power.has_value(), powers > 0);
      EXPECT_NEAR(feedback.mean_power.value_or(0_W).si(), sum / std::max(powers, 1), 0.2);
      EXPECT_NEAR(watts(feedback), expected, 0.2) << "round " << round << ", decision " << decision;
    }
  }
}

TEST(TracePlant, RunsEveryNetworkOfThePublishedCells) {
  const std::string path = ERGON_REPOSITORY "/../shared/data/gpu/p40_batch_clock_cells.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing";
  const auto networks = trace_networks(path).value();
  int ran = 0;
  for (const std::string& network : networks) {
    auto trace = read_trace(path, network);
    if (!trace) continue;
    TracePlant plant(std::move(*trace));
    for (const Hertz clock : plant.knobs().clocks) {
      const Point point{plant.knobs().batches[plant.knobs().batches.size() / 2], clock};
      const auto feedback = plant.run(point, {10, 3}).value();
      const auto truth = plant.surface().at(point);
      ASSERT_TRUE(feedback.power);
      EXPECT_NEAR((*feedback.power / truth.power).si(), 1, 0.06) << network;
      EXPECT_NEAR(feedback.throughput() * truth.time.si(), static_cast<double>(point.batch), 1e-6) << network;
    }
    ++ran;
  }
  EXPECT_EQ(ran, 14);
}

}  // namespace
}  // namespace ergon::control
