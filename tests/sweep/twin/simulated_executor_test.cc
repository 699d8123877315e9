#include "sweep/twin/simulated_executor.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "sweep/run_csv.h"

namespace ergon::sweep {
namespace {

using namespace ergon::literals;

std::unique_ptr<SimulatedExecutor> bench_of(const SimulatedExecutor::Settings& settings,
                                            const char* gpu = "v100s") {
  std::vector<SimulatedExecutor::Candidate> networks;
  for (const char* name : {"caffe/alexnet", "keras/vgg16"})
    networks.push_back({name, graph::zoo::build(**graph::zoo::find(name)).value()});
  return std::move(SimulatedExecutor::open(*device::find_device(gpu), networks, settings).value());
}

RunRow row_of(SimulatedExecutor& bench, const sweep::Run& run) { return bench.run(run, {}).value(); }

TEST(SimulatedExecutor, AV100sHas196Clocks) {
  EXPECT_EQ(bench_of({})->clocks()->size(), 196U);
  EXPECT_TRUE(bench_of({})->facts().simulated);
}

// An edited twin is another experiment.
TEST(SimulatedExecutor, TheModelDigestCoversAllParameters) {
  auto gpu = *device::find_device("v100s");
  const auto model = [&](const SimulatedExecutor::Settings& settings) {
    return SimulatedExecutor::open(gpu, {}, settings).value()->facts().model;
  };
  const std::string before = model({});
  EXPECT_EQ(model({}), before);
  SimulatedExecutor::Settings longer;
  longer.execution.layer = longer.execution.layer * 2;
  EXPECT_NE(model(longer), before);
  gpu.power.busy = gpu.power.busy * 1.001;
  EXPECT_NE(model({}), before);
}

// An interrupted sweep gives the same result.
TEST(SimulatedExecutor, ARunDoesNotDependOnEarlierRuns) {
  for (const Scenario scenario : {Scenario::steady, Scenario::execution}) {
    const sweep::Run run{"caffe/alexnet", 1, scenario, 900_MHz, 2};
    auto fresh = bench_of({}), used = bench_of({});
    row_of(*used, {"keras/vgg16", 1, scenario, 1500_MHz, 1});
    row_of(*used, {"caffe/alexnet", 1, scenario, 900_MHz, 1});
    EXPECT_EQ(*run_line(row_of(*fresh, run)), *run_line(row_of(*used, run)));
  }
}

TEST(SimulatedExecutor, RepetitionsAndSeedsDiffer) {
  auto bench = bench_of({});
  SimulatedExecutor::Settings other;
  other.seed = 2;
  const auto time = [](SimulatedExecutor& on, std::int64_t repetition) {
    return row_of(on, {"caffe/alexnet", 1, Scenario::execution, 900_MHz, repetition}).time->si();
  };
  EXPECT_NE(time(*bench, 1), time(*bench, 2));
  EXPECT_NE(time(*bench, 1), time(*bench_of(other), 1));
}

// Host time in milliseconds, which does not depend on clock and name.
TEST(SimulatedExecutor, EveryRunHasItsOwnNoise) {
  SimulatedExecutor::Settings settings;
  settings.execution = {.begin_scatter = 0.5, .layer = Seconds{0}, .build_scatter = 0, .trials = 0};
  const auto alexnet = graph::zoo::build(**graph::zoo::find("caffe/alexnet")).value();
  auto bench = std::move(
      SimulatedExecutor::open(*device::find_device("v100s"), {{"a", alexnet}, {"b", alexnet}}, settings)
          .value());
  std::set<std::int64_t> times;
  for (const char* const name : {"a", "b"}) {
    for (const Hertz clock : {1500_MHz, 1597_MHz}) {
      for (const std::int64_t repetition : {1, 2}) {
        const RunRow row = row_of(*bench, {name, 1, Scenario::execution, clock, repetition});
        times.insert(std::llround(row.time->si() * 1e3));
      }
    }
  }
  EXPECT_EQ(times.size(), 8U);
}

TEST(SimulatedExecutor, ReportsStartTemperatureAndParallelRuns) {
  SimulatedExecutor::Settings settings;
  settings.epoch = Timestamp{1'700'000'000'000'000'000};
  auto bench = bench_of(settings);
  EXPECT_GT(bench->facts().max_parallel_runs, 1);
  const RunRow row = row_of(*bench, {"caffe/alexnet", 1, Scenario::steady, 900_MHz, 1});
  EXPECT_EQ(row.started_at, settings.epoch);
  ASSERT_TRUE(row.temperature);
  // The uncertainty is divided by thousands of iterations.
  EXPECT_LT(*row.energy_uncertainty, *row.energy * 0.2);

  // Longer runs or warm-ups give higher temperatures.
  SimulatedExecutor::Settings longer = settings, warmer = settings;
  longer.duration = warmer.warm_up = Seconds{60};
  for (const auto& hotter : {longer, warmer}) {
    const RunRow hot = row_of(*bench_of(hotter), {"caffe/alexnet", 1, Scenario::steady, 900_MHz, 1});
    EXPECT_GT(hot.temperature->degrees(), row.temperature->degrees() + 1);
  }
}

TEST(SimulatedExecutor, AnExecutionWaitsMostOfItsTime) {
  const RunRow row = row_of(*bench_of({}), {"keras/vgg16", 1, Scenario::execution, 1500_MHz, 1});
  EXPECT_TRUE(row.valid);
  EXPECT_GT(*row.power_max, *row.power_mean * 1.2);
}

TEST(SimulatedExecutor, ReasonsOfTheMeterAreInTheRow) {
  SimulatedExecutor::Settings settings;
  settings.execution = {.begin = Seconds{0},
                        .layer = Seconds{0},
                        .reading = BytesPerSecond{1e15},
                        .copying = BytesPerSecond{1e15},
                        .trials = 0};
  const RunRow row = row_of(*bench_of(settings), {"caffe/alexnet", 1, Scenario::execution, 1500_MHz, 1});
  EXPECT_FALSE(row.valid);
  EXPECT_NE(std::find(row.reasons.begin(), row.reasons.end(), "too_short"), row.reasons.end());
}

TEST(SimulatedExecutor, ANetworkWithoutGpuOperationsGivesAnInvalidRow) {
  graph::Network nothing;
  nothing.name = "nothing";
  auto bench =
      std::move(SimulatedExecutor::open(*device::find_device("v100s"), {{"nothing", nothing}}, {}).value());
  EXPECT_EQ(row_of(*bench, {"nothing", 1, Scenario::steady, 900_MHz, 1}).reasons,
            std::vector<std::string>{"unsupported"});
}

TEST(SimulatedExecutor, StopsOnRequest) {
  std::stop_source stop;
  stop.request_stop();
  const auto row = bench_of({})->run({"keras/vgg16", 1, Scenario::steady, 900_MHz, 1}, stop.get_token());
  EXPECT_EQ(row.error().kind, Errc::cancelled);
}

TEST(SimulatedExecutor, ASteadyRunMatchesTheEstimateOfTheTwin) {
  SimulatedExecutor::Settings settings;
  settings.precision = device::Precision::fp32;
  settings.batch = 32;
  auto bench = bench_of(settings);
  const auto network = graph::zoo::build(**graph::zoo::find("keras/vgg16")).value();
  const auto gpu = device::find_device("v100s").value();
  const auto workload =
      device::workload_of(network, 32, graph::Mode::inference, device::Precision::fp32).value();
  const device::Load load(workload, gpu);
  for (const Hertz clock : {135_MHz, 900_MHz, 1200_MHz}) {
    const RunRow row = row_of(*bench, {"keras/vgg16", 32, Scenario::steady, clock, 1});
    EXPECT_TRUE(row.valid) << run_line(row).value();
    EXPECT_NEAR(row.time->si() / load.at(clock).time.si(), 1, 1e-3);
    EXPECT_EQ(row.clock_observed, clock);
    EXPECT_NEAR((*row.energy / *row.time).si() / row.power_mean->si(), 1, 0.01);
    EXPECT_GE(*row.power_max, *row.power_mean * 0.99);
    EXPECT_GT(*row.energy_uncertainty, 0_J);
  }
}

// 250 W are not enough for VGG-16 at the highest clock.
TEST(SimulatedExecutor, AClockThatThePowerLimitPreventsIsInvalid) {
  SimulatedExecutor::Settings settings;
  settings.precision = device::Precision::fp32;
  settings.batch = 32;
  const RunRow row = row_of(*bench_of(settings), {"keras/vgg16", 32, Scenario::steady, 1597_MHz, 1});
  EXPECT_FALSE(row.valid);
  EXPECT_EQ(row.reasons, std::vector<std::string>{"clock_not_reached"});
  EXPECT_LT(*row.clock_observed, 1597_MHz);
  EXPECT_NE(std::find(row.event_reasons.begin(), row.event_reasons.end(), "power_cap"),
            row.event_reasons.end());
}

TEST(SimulatedExecutor, ANetworkThatDoesNotFitGivesAnInvalidRow) {
  SimulatedExecutor::Settings settings;
  settings.batch = 100000;
  const RunRow row = row_of(*bench_of(settings), {"keras/vgg16", 100000, Scenario::steady, 900_MHz, 1});
  EXPECT_FALSE(row.valid || row.time);
  EXPECT_EQ(row.reasons, std::vector<std::string>{"out_of_memory"});
}

TEST(SimulatedExecutor, AnUnsupportedClockGivesAnInvalidRow) {
  const RunRow row = row_of(*bench_of({}), {"keras/vgg16", 1, Scenario::steady, 5000_MHz, 1});
  EXPECT_FALSE(row.valid || row.time);
  EXPECT_EQ(row.reasons, std::vector<std::string>{"clock_refused"});
}

TEST(SimulatedExecutor, RunsAtTheDefaultClockWithoutARequest) {
  const RunRow row = row_of(*bench_of({}), {"caffe/alexnet", 1, Scenario::steady, std::nullopt, 1});
  EXPECT_TRUE(row.valid);
  EXPECT_EQ(row.clock_observed, 1597_MHz);
}

TEST(SimulatedExecutor, AnUnknownNetworkIsAnError) {
  EXPECT_EQ(bench_of({})->run({"vgg19", 1, Scenario::steady, 900_MHz, 1}, {}).error().kind, Errc::not_found);
}

}  // namespace
}  // namespace ergon::sweep
