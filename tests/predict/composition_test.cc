#include "predict/composition.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "device/twin/load.h"
#include "device/twin/steady_state.h"
#include "predict/estimate/some_iterations.h"

namespace ergon::predict {
namespace {

using namespace literals;
using device::Precision;
using graph::Mode;

const ConfigKey kInferenceKey{Mode::inference, Precision::tf32};
const ConfigKey kTrainingKey{Mode::training, Precision::tf32};

Watts idle_of(const device::Specification& gpu) {
  return device::resident_power(gpu, gpu.core.max, gpu.thermal.ambient);
}

TaskCost cost(double count, Seconds settled, Watts power, Seconds host) {
  TaskCost made;
  made.count = count;
  made.settled = settled;
  made.settled_power = power;
  made.host = host;
  return made;
}

TEST(RatioWeight, IsHighestForOperationsThatAreNotHostBound) {
  const Shrinkage shrinkage{0.8, 0.5};
  EXPECT_NEAR(ratio_weight(cost(1, 10_ms, 100_W, 1_us), shrinkage), 0.8, 1e-6);
  EXPECT_NEAR(ratio_weight(cost(1, 1_us, 100_W, 10_ms), shrinkage), 0.8 * 0.5, 1e-6);
  EXPECT_NEAR(ratio_weight(cost(1, 1_ms, 100_W, 0.5_ms), shrinkage), 0.8 * (1 - 0.5 / 16), 1e-12);
  EXPECT_EQ(ratio_weight(cost(1, 0_s, 0_W, 0_s), shrinkage), 0.8);
}

TEST(RatioWeight, FallsWithLaunchOverhead) {
  double last = 2;
  for (double host = 1e-6; host < 1e-4; host *= 1.5) {
    const double now = ratio_weight(cost(1, 100_us, 100_W, Seconds{host}), {1, 1});
    EXPECT_LT(now, last);
    last = now;
  }
  EXPECT_EQ(ratio_weight(cost(1, 100_us, 100_W, 100_us), {1, 1}), 0);
  EXPECT_EQ(ratio_weight(cost(1, 100_us, 100_W, 1_ms), {1, 1}), 0);
}

// A library may be a hundred times slower than the physical estimate without being host-bound.
TEST(RatioWeight, IsHighForOperationsFarSlowerThanTheirLaunch) {
  TaskCost slow = cost(1, 10_us, 100_W, 40_us);
  EXPECT_EQ(ratio_weight(slow, {1, 1}), 0);
  slow.time_ratio = std::log(80.0);
  EXPECT_GT(ratio_weight(slow, {1, 1}), 0.99);
  EXPECT_NEAR(sums_of(std::vector{slow}, {1, 1}).kernels.si(), 800e-6, 4e-6);
  slow.time_ratio = -1;
  EXPECT_EQ(ratio_weight(slow, {1, 1}), 0) << "a faster operation is still host-bound";
}

TEST(RatioWeight, MeasuredOperationsIgnoreTheShrinkageWeight) {
  TaskCost measured = cost(1, 10_ms, 100_W, 1_us);
  measured.measured = true;
  EXPECT_NEAR(ratio_weight(measured, {0.6, 0}), 1, 1e-9);
  measured.host = 20_ms;
  for (const Shrinkage shrinkage : {Shrinkage{0.6, 0}, Shrinkage{0.6, 0.3}, Shrinkage{1, 1}}) {
    TaskCost unmeasured = measured;
    unmeasured.measured = false;
    EXPECT_NEAR(ratio_weight(measured, shrinkage), 1 - shrinkage.host_bound_discount, 1e-9)
        << "it was measured host-bound";
    EXPECT_GE(ratio_weight(measured, shrinkage), ratio_weight(unmeasured, shrinkage));
  }
}

TEST(MeasuredShare, IsAShareOfTime) {
  std::vector<TaskCost> costs{cost(3, 1_ms, 100_W, 0_s), cost(1, 1_ms, 100_W, 0_s)};
  EXPECT_EQ(measured_share(costs, {1, 0}), 0);
  costs[0].measured = true;
  EXPECT_NEAR(measured_share(costs, {1, 0}), 0.75, 1e-12);
  costs[1].time_ratio = std::log(3.0);
  EXPECT_NEAR(measured_share(costs, {1, 0}), 0.5, 1e-12);
  costs[1].time_ratio = 1e4;
  EXPECT_EQ(measured_share(costs, {1, 0}), 0) << "infinite time";
  EXPECT_EQ(measured_share({}, {1, 0}), 0);
}

// Alone it took 100 us, 10 us of it in kernels; idle power is 50 W.
TEST(SumsOf, CountEnergyAboveIdlePower) {
  TaskCost host_bound = cost(2, 10_us, 100_W, 100_us);
  host_bound.measured = true;
  host_bound.time_ratio = std::log(10.0);
  host_bound.power_ratio = std::log(0.6);
  EXPECT_NEAR(sums_of(std::vector{host_bound}, {1, 1}).energy.si(), 2 * 60 * 10e-6, 1e-9)
      << "without idle power";
  host_bound.idle = 50_W;
  const OperationSums sums = sums_of(std::vector{host_bound}, {1, 1});
  EXPECT_NEAR(sums.kernels.si(), 20e-6, 1e-12);
  EXPECT_NEAR(sums.energy.si(), 2 * (60 * 100e-6 - 50 * 90e-6), 1e-9);
  host_bound.idle = 70_W;
  EXPECT_NEAR(sums_of(std::vector{host_bound}, {1, 1}).energy.si(), 2 * 60 * 10e-6, 1e-9)
      << "never below the energy of its kernels";
}

TEST(SumsOf, CountEveryOccurrence) {
  std::vector<TaskCost> costs{cost(3, 2_ms, 100_W, 20_us), cost(1, 1_ms, 200_W, 30_us)};
  const OperationSums plain = sums_of(costs, {1, 0});
  EXPECT_NEAR(plain.kernels.si(), 7e-3, 1e-15);
  EXPECT_NEAR(plain.host.si(), 90e-6, 1e-15);
  EXPECT_NEAR(plain.energy.si(), 6e-3 * 100 + 1e-3 * 200, 1e-12);
  costs[0].time_ratio = std::log(1.5);
  costs[1].power_ratio = std::log(0.5);
  const OperationSums learned = sums_of(costs, {1, 0});
  EXPECT_NEAR(learned.kernels.si(), 10e-3, 1e-12);
  EXPECT_NEAR(learned.host.si(), 90e-6, 1e-15);
  EXPECT_NEAR(learned.energy.si(), 9e-3 * 100 + 1e-3 * 100, 1e-9);
  EXPECT_NEAR(sums_of(costs, {0, 0}).kernels.si(), plain.kernels.si(), 1e-15);
}

TEST(NetworkCost, WithoutLaunchOverheadIsKernelTime) {
  const auto gpu = test::roomy();
  const NetworkCost cost = network_cost({10_ms, 1_us, 1_J}, {}, {}, gpu);
  EXPECT_NEAR(cost.time.si(), 10e-3, 1e-9);
  EXPECT_NEAR(cost.power.si(), 100, 1e-6);
  EXPECT_NEAR(cost.energy.si(), 1, 1e-6);
  EXPECT_FALSE(cost.host_bound());
}

TEST(NetworkCost, HostBoundNetworksDrawLess) {
  const auto gpu = test::roomy();
  const NetworkCost cost = network_cost({1_ms, 10_ms, 0.1_J}, {}, {}, gpu);
  EXPECT_TRUE(cost.host_bound());
  EXPECT_NEAR(cost.time.si(), 10e-3, 1e-9);
  EXPECT_NEAR(cost.power.si(), 0.1 * 100 + 0.9 * idle_of(gpu).si(), 1e-6);
  Corrections hot;
  hot.idle_power = std::log(2.0);
  EXPECT_NEAR(network_cost({1_ms, 10_ms, 0.1_J}, {}, hot, gpu).power.si(),
              0.1 * 100 + 1.8 * idle_of(gpu).si(), 1e-6);
}

TEST(NetworkCost, AppliesEachFactorToItsTerm) {
  const auto gpu = test::roomy();
  const NetworkCost busy = network_cost({10_ms, 1_us, 1_J}, {std::log(1.2), 0, std::log(0.9)}, {}, gpu);
  EXPECT_NEAR(busy.time.si(), 12e-3, 1e-9);
  EXPECT_NEAR(busy.power.si(), 90, 1e-6);
  const NetworkCost host_bound =
      network_cost({1_us, 10_ms, 1_mJ}, {std::log(1.2), std::log(0.5), 0}, {}, gpu);
  EXPECT_NEAR(host_bound.time.si(), 5e-3, 1e-9);
}

TEST(NetworkCost, PowerStaysBelowTheLimitOrTheHighestMeasuredPower) {
  const auto gpu = test::gpu_named("a30");
  EXPECT_EQ(network_cost({1_ms, 0_s, 10_J}, {}, {}, gpu).power, gpu.limit.default_limit);
  Corrections measured;
  measured.max_power = gpu.limit.default_limit + 20_W;
  EXPECT_EQ(network_cost({1_ms, 0_s, 10_J}, {}, measured, gpu).power, measured.max_power);
  const NetworkCost cost = network_cost({1_ms, 0_s, 10_J}, {}, measured, gpu);
  EXPECT_EQ(cost.energy, cost.power * cost.time);
}

TEST(NetworkCost, EmptySumsCostNothing) {
  const NetworkCost cost = network_cost({}, {}, {}, test::roomy());
  EXPECT_EQ(cost.time, 0_s);
  EXPECT_EQ(cost.energy, 0_J);
}

TEST(Corrections, FallBackToTheNearestConfiguration) {
  Corrections corrections;
  corrections.by_config[{Mode::inference, Precision::fp32}] = {1, 0, 0};
  corrections.by_config[{Mode::inference, Precision::bf16}] = {2, 0, 0};
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32}).kernels, 1);
  EXPECT_EQ(corrections.of({Mode::inference, Precision::tf32}).kernels, 1);
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp16}).kernels, 2);
  EXPECT_EQ(corrections.of({Mode::training, Precision::fp32}), Correction{});
  corrections.by_config.erase({Mode::inference, Precision::bf16});
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp16}).kernels, 1);
  EXPECT_EQ(Corrections{}.of(kInferenceKey), Correction{});
}

TEST(Corrections, PreferTheSameLaunchHost) {
  Corrections corrections;
  corrections.by_config[{Mode::inference, Precision::fp32, LaunchHost::native}] = {1, 0, 0};
  corrections.by_config[{Mode::inference, Precision::bf16, LaunchHost::python}] = {2, 0, 0};
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32, LaunchHost::native}).kernels, 1);
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32, LaunchHost::python}).kernels, 2);
  corrections.by_config.erase({Mode::inference, Precision::bf16, LaunchHost::python});
  EXPECT_EQ(corrections.of({Mode::inference, Precision::fp32, LaunchHost::python}).kernels, 1);
}

TEST(Corrections, PreferASimilarLaunchHostToOthers) {
  Corrections corrections;
  const auto key = [](LaunchHost host, device::Precision precision) {
    return ConfigKey{graph::Mode::inference, precision, host};
  };
  corrections.by_config[key(LaunchHost::python, device::Precision::tf32)].host = 1;
  corrections.by_config[key(LaunchHost::native, device::Precision::bf16)].host = 2;
  EXPECT_EQ(corrections.of(key(LaunchHost::transformers, device::Precision::bf16)).host, 1);
  EXPECT_EQ(corrections.of(key(LaunchHost::native, device::Precision::tf32)).host, 2);
  corrections.by_config[key(LaunchHost::transformers, device::Precision::tf32)].host = 3;
  EXPECT_EQ(corrections.of(key(LaunchHost::transformers, device::Precision::bf16)).host, 3);
}

TEST(NetworkCost, ShiftsOperationClassesSeparately) {
  const auto gpu = test::roomy();
  const OperationSums sums{10_ms, 1_us, 1_J, {4_ms, 0.6_J}, {3_ms, 0.1_J}};
  const NetworkCost cost = network_cost(sums, {0, 0, 0, std::log(1.5), std::log(0.5)}, {}, gpu);
  EXPECT_NEAR(cost.time.si(), 10e-3 + 2e-3 - 1.5e-3, 1e-9);
  EXPECT_NEAR(cost.energy.si(), 1 + 0.3 - 0.05, 1e-6);
}

TEST(SumsOf, SeparateOperationClasses) {
  std::vector<TaskCost> costs{cost(1, 4_ms, 100_W, 0_s), cost(2, 2_ms, 100_W, 0_s),
                              cost(1, 1_ms, 100_W, 0_s)};
  costs[0].operation_class = OperationClass::convolution;
  costs[1].operation_class = OperationClass::product;
  costs[2].operation_class = OperationClass::memory_bound;
  costs[2].shift = 5;
  costs.push_back(cost(1, 3_ms, 100_W, 0_s));
  costs[3].operation_class = OperationClass::channels_last;
  const OperationSums sums = sums_of(costs, {1, 0});
  EXPECT_NEAR(sums.channels_last.kernels.si(), 3e-3, 1e-15);
  EXPECT_NEAR(sums.kernels.si(), 12e-3, 1e-15) << "shifts are not part of sums";
  EXPECT_NEAR(sums.products.kernels.si(), 4e-3, 1e-15);
  EXPECT_NEAR(sums.memory_bound.energy.si(), 0.1, 1e-12);
}

// Networks with different shares of matrix products, which run a quarter faster than alone.
TEST(FitCorrections, SeparatesOperationClassesGivenEnoughNetworks) {
  const auto gpu = test::roomy();
  const Correction truth{0, 0, 0, std::log(0.75), 0};
  Random random(3);
  std::vector<NetworkObservation> observations;
  for (int i = 0; i < 40; ++i) {
    const double share = random.uniform();
    const OperationSums sums{
        10_ms, 1_us, 1_J, {10_ms * share, 1_J * share}, {10_ms * (1 - share) / 2, 0.2_J}};
    const NetworkCost cost = network_cost(sums, truth, {}, gpu);
    observations.push_back({std::to_string(i), kInferenceKey, sums, cost.time, cost.power});
  }
  const Corrections found = fit_corrections(observations, gpu);
  for (const NetworkObservation& each : observations) {
    const NetworkCost cost = network_cost(each.sums, found.of(kInferenceKey), found, gpu);
    EXPECT_NEAR((cost.time / each.time).si(), 1, 0.04) << "one factor for all would be off by up to 0.15";
  }
  EXPECT_LT(found.of(kInferenceKey).products, -0.15);
  observations.resize(10);
  EXPECT_EQ(fit_corrections(observations, gpu).of(kInferenceKey).products, 0)
      << "ten networks are too few for classes";
}

// Six networks of 36 filter channels-last images, which takes twice as long as alone.
TEST(FitCorrections, FindsTheCostOfChannelsLastImages) {
  const auto gpu = test::roomy();
  const Correction truth{0, 0, 0, 0, 0, std::log(2.0)};
  std::vector<NetworkObservation> observations;
  for (int i = 0; i < 36; ++i) {
    OperationSums sums{10_ms, 1_us, 1_J, {}, {}, {}};
    if (i % 6 == 0) sums.channels_last = {4_ms, 0.4_J};
    const NetworkCost cost = network_cost(sums, truth, {}, gpu);
    EXPECT_NEAR(cost.time.si(), i % 6 == 0 ? 14e-3 : 10e-3, 1e-6);
    observations.push_back({std::to_string(i), kInferenceKey, sums, cost.time, cost.power});
  }
  EXPECT_NEAR(fit_corrections(observations, gpu).of(kInferenceKey).channels_last, truth.channels_last, 0.15);
  for (NetworkObservation& each : observations) each.sums.channels_last = {};
  EXPECT_EQ(fit_corrections(observations, gpu).of(kInferenceKey).channels_last, 0) << "no such operations";
}

// Networks from mostly host-bound to never host-bound.
std::vector<NetworkObservation> synthetic(const std::map<ConfigKey, Correction>& truth, double idle_power,
                                          const device::Specification& gpu, std::size_t each,
                                          double noise = 0) {
  Random random(8);
  Corrections all;
  all.idle_power = idle_power;
  std::vector<NetworkObservation> observations;
  for (const auto& [key, correction] : truth) {
    for (std::size_t i = 0; i < each; ++i) {
      const Seconds kernels{1e-3 * std::exp(6 * random.uniform() - 3)};
      const Watts power{60 + 100 * random.uniform()};
      const OperationSums sums{kernels, Seconds{1e-3 * (0.5 + random.uniform())}, power * kernels};
      const NetworkCost cost = network_cost(sums, correction, all, gpu);
      const auto shaken = [&] { return std::exp(noise * (2 * random.uniform() - 1)); };
      observations.push_back(
          {"net" + std::to_string(i), key, sums, cost.time * shaken(), cost.power * shaken()});
    }
  }
  return observations;
}

TEST(FitCorrections, RecoversFactorsFromManyNetworks) {
  const auto gpu = test::roomy();
  const std::map<ConfigKey, Correction> truth{{kInferenceKey, {0.25, -0.4, -0.15}},
                                              {kTrainingKey, {-0.1, 0.3, 0.1}}};
  for (const double noise : {0.0, 0.03}) {
    const Corrections found = fit_corrections(synthetic(truth, 0.3, gpu, 50, noise), gpu);
    ASSERT_EQ(found.by_config.size(), 2U);
    for (const auto& [key, correction] : truth) {
      EXPECT_NEAR(found.of(key).kernels, correction.kernels, 0.02);
      EXPECT_NEAR(found.of(key).host, correction.host, 0.03);
      EXPECT_NEAR(found.of(key).power, correction.power, 0.03);
    }
    EXPECT_NEAR(found.idle_power, 0.3, 0.11);
  }
}

TEST(FitCorrections, IsZeroWhenSumsAreExact) {
  const auto gpu = test::roomy();
  const Corrections found = fit_corrections(synthetic({{kInferenceKey, {}}}, 0, gpu, 30), gpu);
  EXPECT_NEAR(found.of(kInferenceKey).kernels, 0, 0.005);
  EXPECT_NEAR(found.of(kInferenceKey).host, 0, 0.005);
  EXPECT_NEAR(found.of(kInferenceKey).power, 0, 0.005);
  EXPECT_NEAR(found.idle_power, 0, 0.05);
}

TEST(FitCorrections, IsEmptyWithoutNetworks) {
  const Corrections none = fit_corrections({}, test::roomy());
  EXPECT_TRUE(none.by_config.empty());
  EXPECT_EQ(none.idle_power, 0);
  EXPECT_EQ(none.max_power, 0_W);
}

TEST(FitCorrections, ShrinksWithFewNetworks) {
  const auto gpu = test::roomy();
  const auto many = synthetic({{kInferenceKey, {0.5, 0, 0}}}, 0, gpu, 40);
  // One network that is not host-bound.
  std::vector<NetworkObservation> one;
  for (const NetworkObservation& each : many) {
    if (one.empty() && each.sums.kernels > each.sums.host * 4) one.push_back(each);
  }
  ASSERT_EQ(one.size(), 1U);
  const double few = fit_corrections(one, gpu).of(kInferenceKey).kernels;
  EXPECT_GT(few, 0.05);
  EXPECT_LT(few, 0.4);
  EXPECT_NEAR(fit_corrections(many, gpu).of(kInferenceKey).kernels, 0.5, 0.03);
}

// Launch overhead is shared between precisions: one outlier in one precision does not change the host's
// factor.
TEST(FitCorrections, PoolsHostFactorsOverPrecisions) {
  const auto gpu = test::roomy();
  const ConfigKey plain{Mode::inference, Precision::fp32};
  const auto host_bound = [&](const ConfigKey& key, std::size_t networks, double factor) {
    std::vector<NetworkObservation> observations;
    for (std::size_t i = 0; i < networks; ++i) {
      const OperationSums sums{1_us, Seconds{1e-3 * (1 + static_cast<double>(i))}, 1_mJ};
      observations.push_back({"net" + std::to_string(i), key, sums, sums.host * factor, {}});
    }
    return observations;
  };
  auto few = host_bound(kInferenceKey, 10, 1);
  const auto odd = host_bound(plain, 1, 1.6);
  few.insert(few.end(), odd.begin(), odd.end());
  EXPECT_LT(fit_corrections(few, gpu).of(plain).host, 0.2);
  EXPECT_NEAR(fit_corrections(few, gpu).of(kInferenceKey).host, 0, 0.05);
  EXPECT_GT(fit_corrections(odd, gpu).of(plain).host, 0.3) << "without other precisions";
  auto many = host_bound(kInferenceKey, 30, 1);
  const auto others = host_bound(plain, 30, 1.6);
  many.insert(many.end(), others.begin(), others.end());
  EXPECT_NEAR(fit_corrections(many, gpu).of(plain).host, std::log(1.6), 0.05);
  EXPECT_NEAR(fit_corrections(many, gpu).of(kInferenceKey).host, 0, 0.05);
}

TEST(FitCorrections, GpuBoundNetworksDoNotChangeTheHostFactor) {
  const auto gpu = test::roomy();
  std::vector<NetworkObservation> busy;
  for (const NetworkObservation& each : synthetic({{kInferenceKey, {0.2, 0.8, 0.1}}}, 0.5, gpu, 80)) {
    if (each.sums.kernels > each.sums.host * 8) busy.push_back(each);
  }
  ASSERT_GT(busy.size(), 5U);
  const Corrections found = fit_corrections(busy, gpu);
  EXPECT_NEAR(found.of(kInferenceKey).host, 0, 0.02);
  EXPECT_NEAR(found.of(kInferenceKey).kernels, 0.2, 0.05);
}

TEST(FitCorrections, NetworksWithoutPowerDoNotChangeThePowerFactor) {
  const auto gpu = test::roomy();
  auto observations = synthetic({{kInferenceKey, {0.2, 0, 0.4}}}, 0, gpu, 30);
  for (NetworkObservation& each : observations) each.power.reset();
  const Corrections found = fit_corrections(observations, gpu);
  EXPECT_EQ(found.of(kInferenceKey).power, 0);
  EXPECT_EQ(found.max_power, 0_W);
  EXPECT_NEAR(found.of(kInferenceKey).kernels, 0.2, 0.03);
}

TEST(FitCorrections, MaxPowerIsTheHighestMeasured) {
  const auto gpu = test::roomy();
  const auto observations = synthetic({{kInferenceKey, {}}}, 0, gpu, 30);
  Watts highest;
  for (const NetworkObservation& each : observations) highest = std::max(highest, *each.power);
  EXPECT_EQ(fit_corrections(observations, gpu).max_power, highest);
}

}  // namespace
}  // namespace ergon::predict
