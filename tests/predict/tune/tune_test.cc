#include "predict/tune/tune.h"

#include <cmath>

#include <gtest/gtest.h>

#include "predict/tune/tune_targets.h"

namespace ergon::predict {
namespace {

using namespace literals;

const std::vector<std::int64_t> kBatches{1, 2, 4, 8, 16, 32, 64};

TuneResult result_of(const std::vector<TuneTarget>& targets, const TuneRequest& request) {
  const auto result = tune(targets, request);
  EXPECT_TRUE(result) << result.error().message;
  return result.value();
}

std::string error_of(const std::vector<TuneTarget>& targets, const TuneRequest& request) {
  const auto result = tune(targets, request);
  return result ? "none" : result.error().message;
}

TEST(Tune, LowestEnergyOnAnA30IsBelowTheDefaultClock) {
  const TuneResult result = result_of({target("a30", "resnet50", kBatches)}, {});
  ASSERT_TRUE(result.choice.clock || !result.choice.default_limit);
  EXPECT_LT(result.choice.prediction.clock, result.at_default.prediction.clock);
  EXPECT_GT(result.energy_saving, 0.05);
  EXPECT_EQ(result.at_default.batch, result.choice.batch);
  EXPECT_EQ(result.at_default.limit, 165_W);
  ASSERT_TRUE(result.best_default);
  EXPECT_LE(result.best_default->energy_per_sample(), result.at_default.energy_per_sample());
}

TEST(Tune, LowestTimeUsesTheDefaultClockAndTheHighestLimit) {
  const TuneResult a30 = result_of({target("a30", "resnet50", {32})}, {.objective = Objective::time});
  EXPECT_FALSE(a30.choice.clock);
  EXPECT_TRUE(a30.choice.default_limit);
  EXPECT_EQ(a30.energy_saving, 0);
  const TuneResult rtx = result_of({target("rtx2080ti", "resnet50", {32})}, {.objective = Objective::time});
  EXPECT_FALSE(rtx.choice.clock);
  EXPECT_EQ(rtx.choice.limit, 280_W);
  EXPECT_LT(rtx.energy_saving, 0);
}

TEST(Tune, KeepsTheDefaultLimitIfItDoesNotMatter) {
  for (const Objective objective : {Objective::energy, Objective::energy_delay, Objective::time}) {
    const TuneResult result = result_of({target("h200", "alexnet", {1})}, {.objective = objective});
    EXPECT_TRUE(result.choice.default_limit) << name_of(objective);
  }
}

TEST(Tune, MeetsBoundsAndComparesAtTheSameBatch) {
  TuneRequest request;
  request.bounds.latency = 20_ms;
  const TuneResult result = result_of({target("a30", "resnet50", kBatches)}, request);
  EXPECT_LE(result.choice.latency(), 20_ms);
  EXPECT_EQ(result.at_default.batch, result.choice.batch);
  EXPECT_GE(result.more_latency[3].energy_saving, result.more_latency[0].energy_saving);
  EXPECT_EQ(result.more_latency[0].latency_change, 0.01);
}

TEST(Tune, APowerBoundIsMetByALimitOfThatPower) {
  TuneRequest request{.objective = Objective::time};
  request.bounds.power = 131.5_W;
  const TuneResult result = result_of({target("a30", "resnet50", {64})}, request);
  EXPECT_LE(result.choice.power(), 131.5_W);
  EXPECT_GT(result.choice.power(), 131.49_W);
  EXPECT_EQ(result.choice.limit, 131.5_W);
}

TEST(Tune, WithoutLockedClocksALimitDoesNearlyAsWell) {
  const std::vector<TuneTarget> targets{target("a30", "resnet50", {64})};
  const TuneResult locked = result_of(targets, {});
  TuneRequest request;
  request.space.lock_clocks = false;
  const TuneResult limited = result_of(targets, request);
  EXPECT_FALSE(limited.choice.clock);
  EXPECT_LT(limited.choice.limit, 165_W);
  EXPECT_GT(limited.energy_saving, 0.8 * locked.energy_saving);
}

TEST(Tune, SortsDevicesBestFirst) {
  const std::vector<TuneTarget> targets{target("v100", "resnet50", {32}), target("a30", "resnet50", {32}),
                                        target("h200", "resnet50", {32})};
  for (const Objective objective : {Objective::energy, Objective::time}) {
    const TuneResult result = result_of(targets, {.objective = objective});
    ASSERT_EQ(result.devices.size(), 3u);
    EXPECT_EQ(result.devices[0].device, result.choice.device);
    for (std::size_t i = 1; i < 3; ++i) {
      EXPECT_LE(score(objective, *result.devices[i - 1].choice, {}),
                score(objective, *result.devices[i].choice, {}));
    }
    for (const DeviceTuneResult& each : result.devices) EXPECT_EQ(each.at_default->device, each.device);
  }
}

TEST(Tune, DevicesThatCannotMeetTheBoundsAreLast) {
  TuneRequest request;
  request.bounds.latency = 8_ms;
  request.bounds.throughput = SamplesPerSecond{3000};
  const TuneResult result =
      result_of({target("v100", "resnet50", kBatches), target("h200", "resnet50", kBatches)}, request);
  EXPECT_EQ(result.choice.device, "h200");
  EXPECT_EQ(result.devices[1].device, "v100");
  EXPECT_FALSE(result.devices[1].choice);
  ASSERT_TRUE(result.devices[1].infeasibility);
  EXPECT_EQ(result.devices[1].infeasibility->nearest.device, "v100");
}

// "No more latency saves energy" must not stand above a cheaper point of a larger batch.
TEST(Tune, NamesTheNextCheaperPointBeyondTheTable) {
  TuneRequest request;
  request.bounds.latency = 12_ms;
  const TuneResult result = result_of({target("v100", "resnet50", {1, 8, 64})}, request);
  const bool in_front =
      std::any_of(result.front.begin(), result.front.end(), [&](const OperatingPoint& each) {
        return each.latency() > result.choice.latency() && energy_saving(each, result.choice) > 0.001;
      });
  ASSERT_TRUE(in_front);
  ASSERT_TRUE(result.next_cheaper);
  EXPECT_GT(result.next_cheaper->latency(), result.choice.latency());
  EXPECT_LT(result.next_cheaper->energy_per_sample(), result.choice.energy_per_sample());
}

TEST(Tune, DevicesWithOverlappingIntervalsAreNotDistinguished) {
  // The energy of networks was not measured on an A100.
  const TuneResult near =
      result_of({target("h200", "resnet50", {32}), target("a100-sxm-80", "resnet50", {32})}, {});
  EXPECT_EQ(near.not_distinguished.size(), 1u);
  const TuneResult far = result_of({target("h200", "resnet50", {32}), target("p40", "resnet50", {32})}, {});
  EXPECT_EQ(far.choice.device, "h200");
  EXPECT_TRUE(far.not_distinguished.empty());
}

TEST(Tune, HourlyPricesOfDevicesDecideBetweenThem) {
  const std::vector<TuneTarget> targets{target("a30", "resnet50", {32}), target("h200", "resnet50", {32})};
  TuneRequest request{.objective = Objective::price};
  request.prices.per_kwh = 0.3;
  request.prices.per_gpu_hour = {{"a30", 0.1}, {"h200", 10}};
  EXPECT_EQ(result_of(targets, request).choice.device, "a30");
  request.prices.per_gpu_hour = {{"a30", 10}, {"h200", 0.1}};
  EXPECT_EQ(result_of(targets, request).choice.device, "h200");
}

TEST(Tune, ExpensiveHoursFavorSpeedExpensiveEnergyFavorsLowClocks) {
  const std::vector<TuneTarget> targets{target("a30", "resnet50", {32})};
  TuneRequest request{.objective = Objective::price};
  request.prices.per_kwh = 0.3;
  const OperatingPoint by_energy = result_of(targets, request).choice;
  request.prices.per_gpu_hour["a30"] = 2.5;
  const OperatingPoint by_both = result_of(targets, request).choice;
  EXPECT_GT(by_both.prediction.clock, by_energy.prediction.clock);
  EXPECT_EQ(by_energy.prediction.clock, result_of(targets, {}).choice.prediction.clock);
}

TEST(Tune, PricesAndCarbonArePerSample) {
  OperatingPoint point{.device = "a30", .batch = 10, .clock = {}, .limit = 165_W};
  point.prediction.time.value = 36_s;
  point.prediction.energy_per_sample.value = 3.6e6_J;
  Prices prices;
  EXPECT_FALSE(price_of(point, prices));
  EXPECT_FALSE(carbon_of(point, prices));
  prices = {.per_kwh = 0.25, .per_gpu_hour = {{"a30", 5}}, .carbon_grams_per_kwh = 400};
  EXPECT_DOUBLE_EQ(*price_of(point, prices), 0.25 + 5 * 3.6 / 3600);
  EXPECT_DOUBLE_EQ(*carbon_of(point, prices), 400);
  EXPECT_DOUBLE_EQ(score(Objective::energy_delay, point, prices), 3.6e6 * 3.6);
}

TEST(Tune, AnImpossibleLatencyNamesTheLowest) {
  TuneRequest request;
  request.bounds.latency = 1_us;
  const std::string error = error_of({target("a30", "resnet50", {1, 8})}, request);
  EXPECT_TRUE(error.starts_with("no operating point has latency at most 1 us: the lowest latency is "))
      << error;
  EXPECT_NE(error.find("(a30, batch 1, default clock, limit 165 W). The nearest is a30, batch 1"),
            std::string::npos)
      << error;
}

TEST(Tune, ConflictingBoundsNameTheBestOfEach) {
  TuneRequest request;
  const TuneTarget one = target("a30", "resnet50", kBatches);
  request.bounds.latency = one.networks.front().predict({}).time.value * 1.05;
  request.bounds.throughput = SamplesPerSecond{64 / one.networks.back().predict({}).time.value.si() * 0.95};
  const std::string error = error_of({one}, request);
  EXPECT_NE(error.find(" and throughput at least "), std::string::npos) << error;
  EXPECT_NE(error.find(": within the other bounds, the lowest latency is "), std::string::npos) << error;
  EXPECT_NE(error.find("; the highest throughput is "), std::string::npos) << error;
}

TEST(Tune, ExcludesBatchesThatDoNotFit) {
  const TuneTarget some = target("rtx2080ti", "resnet50", {8, 512}, graph::Mode::training);
  ASSERT_EQ(some.networks.size(), 1u);
  ASSERT_EQ(some.excluded.size(), 1u);
  EXPECT_EQ(some.excluded[0].batch, 512);
  EXPECT_NE(some.excluded[0].reason.find("batch 512 needs"), std::string::npos);
  const auto none = tune_target_of(twin_predictor("rtx2080ti"),
                                   iterations_of("resnet50", {512, 1024}, graph::Mode::training));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, Errc::out_of_memory);
  EXPECT_NE(none.error().message.find("batch 512 needs"), std::string::npos);
}

TEST(Candidates, AreDistinctAndStartWithDefaultSettings) {
  const TuneTarget one = target("rtx2080ti", "resnet50", {32});
  for (const SearchSpace& space : {SearchSpace{}, SearchSpace{.limits = {{150_W, 200_W, 270_W}}}}) {
    const auto points = candidates_of(one, space).value();
    EXPECT_FALSE(points.front().clock);
    EXPECT_TRUE(points.front().default_limit);
    for (std::size_t i = 1; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GT(std::abs((points[i].prediction.clock / points[j].prediction.clock).si() - 1), 1e-6)
            << point_text(points[i]) << " and " << point_text(points[j]);
      }
    }
  }
}

TEST(Candidates, AMaxClockExcludesTheDefaultClock) {
  const TuneTarget one = target("a30", "resnet50", {32});
  const auto some = candidates_of(one, {.min_clock = 600_MHz, .max_clock = 900_MHz}).value();
  for (const OperatingPoint& each : some) {
    ASSERT_TRUE(each.clock);
    EXPECT_GE(*each.clock, 600_MHz);
    EXPECT_LE(*each.clock, 900_MHz);
  }
  const auto single =
      candidates_of(one, {.min_clock = 900_MHz, .max_clock = 900_MHz, .limits = std::vector<Watts>{}})
          .value();
  ASSERT_EQ(single.size(), 1u);
  EXPECT_EQ(*single[0].clock, 900_MHz);
  const auto none = candidates_of(one, {.min_clock = 2000_MHz});
  ASSERT_FALSE(none);
  EXPECT_EQ(
      none.error().message,
      "a30 has no core clock from 2 GHz to 1.44 GHz; its clocks are 210 MHz to 1.44 GHz in steps of 15 MHz");
}

TEST(Candidates, ExcludesLimitsThatAreNotHeld) {
  const TuneTarget one = target("a40", "resnet50", {64});
  ASSERT_LT(one.gpu.limit.min, one.gpu.limit.holds_from);
  const auto points = candidates_of(one, {.lock_clocks = false}).value();
  EXPECT_GT(points.size(), 3u);
  for (const OperatingPoint& each : points) {
    EXPECT_GT(each.limit, one.gpu.limit.min);
    EXPECT_FALSE(each.clock);
  }
}

TEST(Candidates, LimitsBelowTheDefaultAreOnlyTriedWithoutLockedClocks) {
  const device::Specification a30 = device::find_device("a30").value();
  EXPECT_EQ(limits_of(a30, {}), (std::vector{165_W}));
  EXPECT_EQ(limits_of(a30, {.lock_clocks = false}), (std::vector{165_W, 100_W, 113_W, 126_W, 139_W, 152_W}));
  EXPECT_EQ(limits_of(a30, {.limits = {{120_W, 500_W}}}), (std::vector{165_W, 120_W}));
  EXPECT_EQ(limits_of(device::find_device("rtx2080ti").value(), {}), (std::vector{250_W, 280_W}));
}

}  // namespace
}  // namespace ergon::predict
