#include "predict/tune/targets.h"

#include <numeric>

#include <gtest/gtest.h>

#include "predict/alternatives.h"
#include "predict/tune/tune_targets.h"

namespace ergon::predict {
namespace {

using PriceMap = std::map<std::string, double>;

std::vector<Predictor> twins(const std::vector<std::string>& names) {
  std::vector<Predictor> all;
  for (const std::string& name : names) all.push_back(twin_predictor(name));
  return all;
}

TEST(BatchesToTry, AreTheRequestedOnesAscendingAndOnce) {
  EXPECT_EQ(batches_to_try(network_named("resnet18"), {64, 1, 64, 8}), (std::vector<std::int64_t>{1, 8, 64}));
}

TEST(BatchesToTry, AreTheDefaultOnesOrTheOnlyOne) {
  graph::Network network = network_named("resnet18");
  EXPECT_EQ(batches_to_try(network), (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
  network.batch_is_fixed = true;
  network.default_batch = 12;
  EXPECT_EQ(batches_to_try(network), std::vector<std::int64_t>{12});
}

TEST(TuneTargets, HaveEveryDeviceAtEveryBatch) {
  std::vector<std::string> notes;
  const WorkloadConfig config{1, graph::Mode::training, device::Precision::fp32, LaunchHost::native};
  const auto targets = tune_targets_of(twins({"a40", "v100"}), network_named("resnet18"), config, {1, 8},
                                       [&](std::string_view note) { notes.emplace_back(note); });
  ASSERT_TRUE(targets) << targets.error().message;
  ASSERT_EQ(targets->size(), 2u);
  EXPECT_EQ((*targets)[0].gpu.name, "a40");
  EXPECT_EQ((*targets)[1].gpu.name, "v100");
  for (const TuneTarget& target : *targets) {
    ASSERT_EQ(target.networks.size(), 2u);
    EXPECT_EQ(target.networks[0].config(), (WorkloadConfig{1, config.mode, config.precision, config.host}));
    EXPECT_EQ(target.networks[1].config(), (WorkloadConfig{8, config.mode, config.precision, config.host}));
  }
  EXPECT_TRUE(notes.empty());
}

TEST(TuneTargets, SkipBatchesAndDevicesWithoutEnoughMemory) {
  std::vector<std::string> notes;
  const auto note = [&](std::string_view text) { notes.emplace_back(text); };
  const WorkloadConfig training{1, graph::Mode::training};
  // 278 is the largest batch that fits rtx6000; h200 has six times its memory.
  const auto both =
      tune_targets_of(twins({"rtx6000", "h200"}), network_named("resnet50"), training, {1024}, note).value();
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].gpu.name, "h200");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(notes[0].starts_with("skipped: training of resnet50 at batch 1024 needs ")) << notes[0];

  notes.clear();
  const auto some =
      tune_targets_of(twins({"rtx6000"}), network_named("resnet50"), training, {8, 1024, 2048}, note).value();
  ASSERT_EQ(some.size(), 1u);
  EXPECT_EQ(some[0].networks.size(), 1u);
  EXPECT_EQ(notes, std::vector<std::string>{"rtx6000 does not have enough memory for batch 1024, 2048"});

  notes.clear();
  const auto none = tune_targets_of(twins({"rtx6000"}), network_named("resnet50"), training, {1024}, note);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, Errc::out_of_memory);
  EXPECT_TRUE(notes.empty()) << "the error says it";
}

TEST(TuneRequestCheck, NamesOptionsThatExcludeOrNeedOthers) {
  TuneRequest request;
  EXPECT_TRUE(check(request, {}));
  request.objective = Objective::price;
  EXPECT_EQ(check(request, {}).error().message,
            "--objective price needs --price-kwh, --price-gpu-hour or both");
  EXPECT_TRUE(check(request, std::vector<GpuHourPrice>{{"a30", 1}}));
  request.prices.per_kwh = 0.3;
  EXPECT_TRUE(check(request, {}));
  request.space.min_clock = Hertz{1e9};
  request.space.max_clock = Hertz{1e9};
  EXPECT_TRUE(check(request, {}));
  request.space.max_clock = Hertz{9e8};
  EXPECT_EQ(check(request, {}).error().message, "--min-clock 1 GHz is above --max-clock 900 MHz");
  request.space.min_clock.reset();
  request.space.lock_clocks = false;
  EXPECT_EQ(check(request, {}).error().message,
            "--default-clock cannot be combined with --min-clock or --max-clock");
}

TEST(TuneLimits, MustBeSupportedByOneDevice) {
  const auto devices = twins({"v100", "h200"});  // 100 W to 250 W, 200 W to 700 W
  EXPECT_TRUE(check_limits({Watts{100}, Watts{700}}, devices));
  const auto refused = check_limits({Watts{100}, Watts{800}}, devices);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("not 800 W"), std::string::npos) << refused.error().message;
}

TEST(GpuHourPrices, ApplyToOneDeviceOrToAll) {
  const auto devices = twins({"v100", "h200"});
  const auto prices = [&](const std::vector<GpuHourPrice>& given) {
    return prices_by_device(given, devices);
  };
  EXPECT_TRUE(prices({}).value().empty());
  EXPECT_EQ(prices({{"", 2.5}}).value(), (PriceMap{{"v100", 2.5}, {"h200", 2.5}}));
  EXPECT_EQ(prices({{"", 2.5}, {"h200", 3}}).value(), (PriceMap{{"v100", 2.5}, {"h200", 3}}));
  EXPECT_EQ(prices({{"h200", 3}}).error().message, "--price-gpu-hour: no price for v100");
  EXPECT_EQ(prices({{"a30", 3}}).error().message, "--price-gpu-hour: a30 is not in --device");
}

TEST(TuneTargets, HaveALimitedNumberOfCombinations) {
  std::vector<std::int64_t> batches(1001);
  std::iota(batches.begin(), batches.end(), 1);
  const auto refused = tune_targets_of(twins({"a40", "v100"}), network_named("resnet18"), {}, batches, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Errc::invalid_input);
  EXPECT_EQ(refused.error().message,
            "2002 combinations of batch and device are more than 2000; give fewer batches or devices");
}

}  // namespace
}  // namespace ergon::predict
