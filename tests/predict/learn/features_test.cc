#include "predict/learn/features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "predict/estimate/some_iterations.h"

namespace ergon::predict {
namespace {

using graph::Mode;

using Named = std::map<std::string_view, float>;

std::vector<float> features(const Task& task, const WorkloadConfig& config,
                            const device::Specification& gpu) {
  const TaskEstimate estimate(task, config.precision, gpu);
  return features_of(task, estimate, settle(estimate, gpu, gpu.core.max, gpu.limit.default_limit), config,
                     gpu);
}

Named named(const Task& task, const WorkloadConfig& config, const device::Specification& gpu) {
  const auto names = feature_names();
  const auto values = features(task, config, gpu);
  Named all;
  for (std::size_t i = 0; i < names.size(); ++i) all[names[i]] = values[i];
  return all;
}

TEST(Features, HaveDistinctNames) {
  const auto names = feature_names();
  EXPECT_EQ(names.size(), feature_count());
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

// Libraries have fast kernels for groups of 16 channels, not for groups of 24. A single group and depthwise
// convolutions are separate cases.
TEST(Features, DistinguishGroupsOfRoundWidth) {
  const auto gpu = test::gpu_named("h200");
  Task task;
  task.kind = "conv";
  const auto roundness = [&](double channels, double groups) {
    task.geometry.channels = task.geometry.out_channels = channels;
    task.geometry.groups = groups;
    return named(task, {}, gpu).at("round_groups");
  };
  EXPECT_EQ(roundness(128, 8), 1);
  EXPECT_EQ(roundness(96, 4), 0);
  EXPECT_EQ(roundness(64, 32), 0);
  EXPECT_EQ(roundness(128, 1), -1);
  EXPECT_EQ(roundness(128, 128), -1);
}

TEST(Features, AreFiniteForEveryOperationOfManyNetworks) {
  for (const char* device : {"a30", "p40", "h200"}) {
    const auto gpu = test::gpu_named(device);
    for (const char* name : {"alexnet", "mobilenet_v2", "densenet121", "vit_b_16", "gpt2"}) {
      for (const Mode mode : {Mode::inference, Mode::training}) {
        const WorkloadConfig config{2, mode, device::Precision::fp16};
        for (const Task& task : test::iteration_named(name, config).tasks) {
          const auto values = features(task, config, gpu);
          ASSERT_EQ(values.size(), feature_count());
          for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_TRUE(std::isfinite(values[i])) << name << " " << task.kind << " " << feature_names()[i];
        }
      }
    }
  }
}

TEST(Features, EveryTypeHasItsFlagOrSharesOne) {
  const auto gpu = test::gpu_named("a30");
  const WorkloadConfig config{2, Mode::training, {}};
  std::set<std::string> kinds;
  for (const char* name : {"resnet50", "mobilenet_v2", "efficientnet_b0", "vit_b_16", "densenet121"}) {
    for (const Task& task : test::iteration_named(name, config).tasks) {
      const Named values = named(task, config, gpu);
      EXPECT_EQ(values.at("other"), has_own_flag(task.kind) ? 0 : 1) << task.kind;
      if (has_own_flag(task.kind)) {
        EXPECT_EQ(values.at(task.kind), 1) << task.kind;
      }
      float flags = 0;
      for (const std::string_view flag : feature_names()) {
        if (has_own_flag(flag) || flag == "other") flags += values.at(flag);
      }
      EXPECT_EQ(flags, 1) << task.kind;
      kinds.insert(task.kind);
    }
  }
  EXPECT_TRUE(kinds.contains("conv"));
  EXPECT_TRUE(kinds.contains("depthwise_conv"));
  EXPECT_TRUE(kinds.contains("attention"));
}

TEST(Features, IncludeModeAndPrecision) {
  const auto gpu = test::gpu_named("a30");
  const auto of = [&](Mode mode, device::Precision precision) {
    const WorkloadConfig config{2, mode, precision};
    return named(test::iteration_named("alexnet", config).tasks[0], config, gpu);
  };
  EXPECT_EQ(of(Mode::training, device::Precision::tf32).at("training"), 1);
  EXPECT_EQ(of(Mode::inference, device::Precision::tf32).at("training"), 0);
  EXPECT_EQ(of(Mode::inference, device::Precision::fp32).at("plain_numbers"), 1);
  EXPECT_EQ(of(Mode::inference, device::Precision::tf32).at("plain_numbers"), 0);
  EXPECT_EQ(of(Mode::inference, device::Precision::bf16).at("half_numbers"), 1);
  EXPECT_EQ(of(Mode::inference, device::Precision::fp32).at("half_numbers"), 0);
}

TEST(Features, SizesAreLogarithmsAndMinusOneIfNotApplicable) {
  const auto gpu = test::gpu_named("a30");
  const WorkloadConfig config{32, Mode::inference, {}};
  const Iteration iteration = test::iteration_named("resnet50", config);
  const Named conv = named(iteration.tasks[0], config, gpu);
  EXPECT_EQ(conv.at("batch"), 5);
  EXPECT_NEAR(conv.at("channels"), std::log2(3.0), 1e-6);
  EXPECT_EQ(conv.at("out_channels"), 6);
  EXPECT_EQ(conv.at("odd_channels"), 1);
  EXPECT_EQ(conv.at("odd_out_channels"), 0);
  const auto relu = std::find_if(iteration.tasks.begin(), iteration.tasks.end(),
                                 [](const Task& task) { return task.kind == "relu"; });
  ASSERT_NE(relu, iteration.tasks.end());
  EXPECT_EQ(named(*relu, config, gpu).at("kernel"), -1);
  EXPECT_EQ(named(*relu, config, gpu).at("weights"), -1);
}

TEST(Features, AreEqualForTheSameTaskInEveryNetwork) {
  const auto gpu = test::gpu_named("v100");
  const WorkloadConfig config{16, Mode::training, {}};
  std::map<std::string, std::vector<float>> known;
  std::size_t shared = 0;
  for (const char* name : {"resnet18", "resnet34", "resnet50"}) {
    for (const Task& task : test::iteration_named(name, config).tasks) {
      const auto values = features(task, config, gpu);
      const auto [found, fresh] = known.emplace(task.id, values);
      if (fresh) continue;
      ++shared;
      EXPECT_EQ(found->second, values) << task.kind << " " << task.description;
    }
  }
  EXPECT_GT(shared, 20U);
}

}  // namespace
}  // namespace ergon::predict
