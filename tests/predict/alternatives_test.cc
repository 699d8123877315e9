#include "predict/alternatives.h"

#include <set>

#include <gtest/gtest.h>

#include "predict/tune/tune_targets.h"

namespace ergon::predict {
namespace {

using Configs = std::vector<WorkloadConfig>;

Configs configs_of(const std::vector<PreparedNetwork>& all) {
  Configs configs;
  for (const PreparedNetwork& each : all) configs.push_back(each.config());
  return configs;
}

TEST(Alternatives, AreTheDefaultBatchesAndTheRequestedOneInEveryPrecision) {
  const WorkloadConfig requested{12, graph::Mode::training, device::Precision::bf16, LaunchHost::native};
  const auto configs =
      configs_of(alternatives_of(twin_predictor("h200"), network_named("resnet18"), requested));
  Configs expected;
  for (const device::Precision precision : device::kPrecisions) {
    for (const std::int64_t batch : {1, 2, 4, 8, 12, 16, 32, 64, 128, 256})
      expected.push_back({batch, requested.mode, precision, requested.host});
  }
  EXPECT_EQ(configs, expected);
}

TEST(Alternatives, OmitWhatDoesNotFitIntoMemory) {
  // The largest batch that fits is 168.
  const auto all = alternatives_of(twin_predictor("rtx2080ti"), network_named("vgg16"),
                                   {32, graph::Mode::training, device::Precision::fp32});
  std::set<std::int64_t> batches;
  for (const PreparedNetwork& each : all) {
    if (each.config().precision == device::Precision::fp32) batches.insert(each.config().batch);
  }
  EXPECT_TRUE(batches.contains(128));
  EXPECT_FALSE(batches.contains(256));
}

TEST(Alternatives, OfAFixedBatchDifferInPrecisionOnly) {
  graph::Network network = network_named("resnet18");
  network.batch_is_fixed = true;
  network.default_batch = 4;
  const auto all = alternatives_of(twin_predictor("h200"), network, {4});
  ASSERT_EQ(all.size(), std::size(device::kPrecisions));
  for (const PreparedNetwork& each : all) EXPECT_EQ(each.config().batch, 4);
}

TEST(Predictor, UsesTheTwinWithoutAModelAndAtRequestedSettings) {
  EXPECT_TRUE(twin_predictor("v100").simulated({}));
  const Predictor learned = learned_predictor("a30");
  EXPECT_FALSE(learned.simulated({}));
  EXPECT_TRUE(learned.simulated({Hertz{1e9}, {}}));
  EXPECT_TRUE(learned.simulated({{}, Watts{150}}));
}

}  // namespace
}  // namespace ergon::predict
