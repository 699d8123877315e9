#include "predict/tune/tune.h"

#include <cmath>

#include <gtest/gtest.h>

#include "predict/tune/contenders.h"

namespace ergon::predict {
namespace {

using namespace literals;

const std::vector<std::int64_t> kBatches{1, 2, 4, 8, 16, 32, 64};

Answer answer_of(const std::vector<Contender>& contenders, const Question& question) {
  const auto answer = tune(contenders, question);
  EXPECT_TRUE(answer) << answer.error().message;
  return answer.value();
}

std::string error_of(const std::vector<Contender>& contenders, const Question& question) {
  const auto answer = tune(contenders, question);
  return answer ? "none" : answer.error().message;
}

TEST(Tune, LeastEnergyOnAnA30IsBelowItsOwnClock) {
  const Answer answer = answer_of({contender("a30", "resnet50", kBatches)}, {});
  ASSERT_TRUE(answer.choice.clock || !answer.choice.usual_limit);
  EXPECT_LT(answer.choice.forecast.clock, answer.at_default.forecast.clock);
  EXPECT_GT(answer.energy_saving, 0.05);
  EXPECT_EQ(answer.at_default.batch, answer.choice.batch);
  EXPECT_EQ(answer.at_default.limit, 165_W);
  ASSERT_TRUE(answer.best_default);
  EXPECT_LE(answer.best_default->energy_per_sample(), answer.at_default.energy_per_sample());
}

TEST(Tune, LeastTimeTakesTheOwnClockAndTheHighestLimit) {
  const Answer a30 = answer_of({contender("a30", "resnet50", {32})}, {.objective = Objective::time});
  EXPECT_TRUE(a30.choice.has_default_settings());
  EXPECT_EQ(a30.energy_saving, 0);
  const Answer rtx = answer_of({contender("rtx2080ti", "resnet50", {32})}, {.objective = Objective::time});
  EXPECT_FALSE(rtx.choice.clock);
  EXPECT_EQ(rtx.choice.limit, 280_W);
  EXPECT_LT(rtx.energy_saving, 0);
}

TEST(Tune, AWorkThatTheLimitDoesNotHoldBackKeepsTheUsualLimit) {
  for (const Objective objective : {Objective::energy, Objective::energy_delay, Objective::time}) {
    const Answer answer = answer_of({contender("h200", "alexnet", {1})}, {.objective = objective});
    EXPECT_TRUE(answer.choice.usual_limit) << name_of(objective);
  }
}

TEST(Tune, BoundsAreKeptAndTheDefaultIsAtTheChoicesBatch) {
  Question question;
  question.bounds.latency = 20_ms;
  const Answer answer = answer_of({contender("a30", "resnet50", kBatches)}, question);
  EXPECT_LE(answer.choice.latency(), 20_ms);
  EXPECT_EQ(answer.at_default.batch, answer.choice.batch);
  EXPECT_GE(answer.more_latency[3].energy_saving, answer.more_latency[0].energy_saving);
  EXPECT_EQ(answer.more_latency[0].latency_change, 0.01);
}

TEST(Tune, APowerBoundIsMetByALimitOfThatPower) {
  Question question{.objective = Objective::time};
  question.bounds.power = 131.5_W;
  const Answer answer = answer_of({contender("a30", "resnet50", {64})}, question);
  EXPECT_LE(answer.choice.power(), 131.5_W);
  EXPECT_GT(answer.choice.power(), 131.49_W);
  EXPECT_EQ(answer.choice.limit, 131.5_W);
}

TEST(Tune, WithoutLockedClocksALimitDoesNearlyAsWell) {
  const std::vector<Contender> contenders{contender("a30", "resnet50", {64})};
  const Answer locked = answer_of(contenders, {});
  Question question;
  question.reach.lock_clocks = false;
  const Answer limited = answer_of(contenders, question);
  EXPECT_FALSE(limited.choice.clock);
  EXPECT_LT(limited.choice.limit, 165_W);
  EXPECT_GT(limited.energy_saving, 0.8 * locked.energy_saving);
}

TEST(Tune, DevicesStandBestFirstAndTheChoiceIsOverAll) {
  const std::vector<Contender> contenders{contender("v100", "resnet50", {32}),
                                          contender("a30", "resnet50", {32}),
                                          contender("h200", "resnet50", {32})};
  for (const Objective objective : {Objective::energy, Objective::time}) {
    const Answer answer = answer_of(contenders, {.objective = objective});
    ASSERT_EQ(answer.devices.size(), 3u);
    EXPECT_EQ(answer.devices[0].device, answer.choice.device);
    for (std::size_t i = 1; i < 3; ++i) {
      EXPECT_LE(score(objective, *answer.devices[i - 1].choice, {}),
                score(objective, *answer.devices[i].choice, {}));
    }
    for (const DeviceAnswer& each : answer.devices) EXPECT_EQ(each.at_default->device, each.device);
  }
}

TEST(Tune, ADeviceThatCannotKeepTheBoundsSaysWhyAndStandsLast) {
  Question question;
  question.bounds.latency = 8_ms;
  question.bounds.throughput = SamplesPerSecond{3000};
  const Answer answer =
      answer_of({contender("v100", "resnet50", kBatches), contender("h200", "resnet50", kBatches)}, question);
  EXPECT_EQ(answer.choice.device, "h200");
  EXPECT_EQ(answer.devices[1].device, "v100");
  EXPECT_FALSE(answer.devices[1].choice);
  ASSERT_TRUE(answer.devices[1].blockade);
  EXPECT_EQ(answer.devices[1].blockade->nearest.device, "v100");
}

TEST(Tune, HourlyPricesOfDevicesDecideBetweenThem) {
  const std::vector<Contender> contenders{contender("a30", "resnet50", {32}),
                                          contender("h200", "resnet50", {32})};
  Question question{.objective = Objective::price};
  question.prices.per_kwh = 0.3;
  question.prices.per_gpu_hour = {{"a30", 0.1}, {"h200", 10}};
  EXPECT_EQ(answer_of(contenders, question).choice.device, "a30");
  question.prices.per_gpu_hour = {{"a30", 10}, {"h200", 0.1}};
  EXPECT_EQ(answer_of(contenders, question).choice.device, "h200");
}

TEST(Tune, ADearHourMakesItFasterADearKilowattHourMakesItSlower) {
  const std::vector<Contender> contenders{contender("a30", "resnet50", {32})};
  Question question{.objective = Objective::price};
  question.prices.per_kwh = 0.3;
  const OperatingPoint by_energy = answer_of(contenders, question).choice;
  question.prices.per_gpu_hour["a30"] = 2.5;
  const OperatingPoint by_both = answer_of(contenders, question).choice;
  EXPECT_GT(by_both.forecast.clock, by_energy.forecast.clock);
  EXPECT_EQ(by_energy.forecast.clock, answer_of(contenders, {}).choice.forecast.clock);
}

TEST(Tune, PricesAndCarbonAreOfASample) {
  OperatingPoint point{.device = "a30", .batch = 10, .clock = {}, .limit = 165_W};
  point.forecast.time.value = 36_s;
  point.forecast.energy_per_sample.value = 3.6e6_J;
  Prices prices;
  EXPECT_FALSE(price_of(point, prices));
  EXPECT_FALSE(carbon_of(point, prices));
  prices = {.per_kwh = 0.25, .per_gpu_hour = {{"a30", 5}}, .carbon_grams_per_kwh = 400};
  EXPECT_DOUBLE_EQ(*price_of(point, prices), 0.25 + 5 * 3.6 / 3600);
  EXPECT_DOUBLE_EQ(*carbon_of(point, prices), 400);
  EXPECT_DOUBLE_EQ(score(Objective::energy_delay, point, prices), 3.6e6 * 3.6);
}

TEST(Tune, AnImpossibleLatencyNamesTheShortest) {
  Question question;
  question.bounds.latency = 1_us;
  const std::string error = error_of({contender("a30", "resnet50", {1, 8})}, question);
  EXPECT_TRUE(error.starts_with("no operating point has latency at most 1 us: the shortest latency is "))
      << error;
  EXPECT_NE(error.find("(a30 at batch 1, its own clock, limit 165 W). The nearest is a30 at batch 1"),
            std::string::npos)
      << error;
}

TEST(Tune, BoundsThatOnlyContradictTogetherNameWhatEachCostsTheOther) {
  Question question;
  const Contender one = contender("a30", "resnet50", kBatches);
  question.bounds.latency = one.outlooks.front().at({}).time.value * 1.05;
  question.bounds.throughput = SamplesPerSecond{64 / one.outlooks.back().at({}).time.value.si() * 0.95};
  const std::string error = error_of({one}, question);
  EXPECT_NE(error.find(" and throughput at least "), std::string::npos) << error;
  EXPECT_NE(error.find(": with the rest kept, the shortest latency is "), std::string::npos) << error;
  EXPECT_NE(error.find("; the highest throughput is "), std::string::npos) << error;
}

TEST(Tune, BatchesThatDoNotFitAreLeftOutUnlessNoneFits) {
  const Contender some = contender("rtx2080ti", "resnet50", {8, 512}, graph::Mode::training);
  ASSERT_EQ(some.outlooks.size(), 1u);
  ASSERT_EQ(some.left_out.size(), 1u);
  EXPECT_EQ(some.left_out[0].batch, 512);
  EXPECT_NE(some.left_out[0].why.find("batch 512 needs"), std::string::npos);
  const auto none =
      contender_of(twin_predictor("rtx2080ti"), jobs_of("resnet50", {512, 1024}, graph::Mode::training));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, Errc::out_of_memory);
  EXPECT_NE(none.error().message.find("batch 512 needs"), std::string::npos);
}

TEST(Candidates, AreDistinctAndBeginWithDefaultSettings) {
  const Contender one = contender("rtx2080ti", "resnet50", {32});
  for (const Reach& reach : {Reach{}, Reach{.limits = {{150_W, 200_W, 270_W}}}}) {
    const auto points = candidates_of(one, reach).value();
    EXPECT_TRUE(points.front().has_default_settings());
    for (std::size_t i = 1; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GT(std::abs((points[i].forecast.clock / points[j].forecast.clock).si() - 1), 1e-6)
            << place_text(points[i]) << " and " << place_text(points[j]);
      }
    }
  }
}

TEST(Candidates, ARangeOfClocksLeavesOutTheOwnClock) {
  const Contender one = contender("a30", "resnet50", {32});
  const auto some = candidates_of(one, {.clock_from = 600_MHz, .clock_to = 900_MHz}).value();
  for (const OperatingPoint& each : some) {
    ASSERT_TRUE(each.clock);
    EXPECT_GE(*each.clock, 600_MHz);
    EXPECT_LE(*each.clock, 900_MHz);
  }
  const auto single =
      candidates_of(one, {.clock_from = 900_MHz, .clock_to = 900_MHz, .limits = {{}}}).value();
  ASSERT_EQ(single.size(), 1u);
  EXPECT_EQ(*single[0].clock, 900_MHz);
  const auto none = candidates_of(one, {.clock_from = 2000_MHz});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "a30 has core clocks from 210 MHz to 1.44 GHz in steps of 15 MHz, none from 2 GHz to 1.44 GHz");
}

TEST(Candidates, LimitsThatAreNotKeptAreLeftOut) {
  const Contender one = contender("a40", "resnet50", {64});
  ASSERT_LT(one.gpu.limit.least, one.gpu.limit.holds_from);
  const auto points = candidates_of(one, {.lock_clocks = false}).value();
  EXPECT_GT(points.size(), 3u);
  for (const OperatingPoint& each : points) {
    EXPECT_GT(each.limit, one.gpu.limit.least);
    EXPECT_FALSE(each.clock);
  }
}

TEST(Candidates, LimitsBelowTheUsualOneAreForThoseWhoCannotLockClocks) {
  const device::Specification a30 = device::find_device("a30").value();
  EXPECT_EQ(limits_of(a30, {}), (std::vector{165_W}));
  EXPECT_EQ(limits_of(a30, {.lock_clocks = false}), (std::vector{165_W, 100_W, 113_W, 126_W, 139_W, 152_W}));
  EXPECT_EQ(limits_of(a30, {.limits = {{120_W, 500_W}}}), (std::vector{165_W, 120_W}));
  EXPECT_EQ(limits_of(device::find_device("rtx2080ti").value(), {}), (std::vector{250_W, 280_W}));
}

}  // namespace
}  // namespace ergon::predict
