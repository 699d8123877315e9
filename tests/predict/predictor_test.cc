#include "predict/predictor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "predict/estimate/some_iterations.h"
#include "predict/learn/features.h"

namespace ergon::predict {
namespace {

using namespace literals;
using device::Precision;
using graph::Mode;

struct Subject {
  const char* network;
  WorkloadConfig config;
};

// From host-bound networks to networks that fill the GPU.
const std::vector<Subject> kSubjects{
    {"resnet50", {32, Mode::inference, Precision::tf32}},
    {"resnet50", {32, Mode::training, Precision::tf32}},
    {"resnet18", {1, Mode::inference, Precision::fp32}},
    {"mobilenet_v2", {64, Mode::inference, Precision::tf32}},
    {"mobilenet_v2", {16, Mode::training, Precision::fp16}},
    {"vgg16", {8, Mode::inference, Precision::fp16}},
    {"vgg16", {16, Mode::training, Precision::tf32}},
    {"densenet121", {2, Mode::inference, Precision::tf32}},
    {"alexnet", {128, Mode::inference, Precision::fp32}},
    {"squeezenet1_1", {32, Mode::training, Precision::fp32}},
    {"vit_b_16", {8, Mode::inference, Precision::bf16}},
    {"efficientnet_b0", {16, Mode::inference, Precision::tf32}},
};

const Iteration& iteration_of_subject(Subject subject) {
  static std::map<std::pair<std::string, WorkloadConfig>, Iteration> known;
  const std::pair key{std::string(subject.network), subject.config};
  if (!known.contains(key)) known[key] = test::iteration_named(subject.network, subject.config);
  return known[key];
}

std::string text_of(const Subject& subject, const std::string& device) {
  return fmt::format("{} {} at {} on {}", subject.network,
                     subject.config.mode == Mode::training ? "training" : "inference", subject.config.batch,
                     device);
}

bool attends(const Iteration& iteration) {
  return std::any_of(iteration.tasks.begin(), iteration.tasks.end(),
                     [](const Task& task) { return task.kind == "attention"; });
}

// The same physical model, summed over tasks here and over operations in the twin.
TEST(TwinPrediction, EqualsTheTwinsEstimate) {
  for (const std::string& device : device::device_names()) {
    const Predictor predictor(test::gpu_named(device));
    const auto& gpu = predictor.gpu();
    for (const Subject& subject : kSubjects) {
      const auto prepared = predictor.prepare(iteration_of_subject(subject));
      const auto work = device::workload_of(test::network_named(subject.network), subject.config.batch,
                                            subject.config.mode, subject.config.precision)
                            .value();
      ASSERT_EQ(static_cast<bool>(prepared), static_cast<bool>(device::estimate(work, gpu, {})));
      if (!prepared) continue;
      for (const double way : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const device::ClockAndLimit setting{gpu.core.min + (gpu.core.max - gpu.core.min) * way, std::nullopt};
        const auto twin = device::estimate(work, gpu, setting).value();
        const Prediction prediction = prepared->predict(setting);
        EXPECT_EQ(prediction.source, PredictionSource::twin);
        EXPECT_EQ(prepared->memory(), twin.memory);
        const double time = test::off(prediction.time.value.si(), twin.state.activity.time.si());
        const double power = test::off(prediction.power.value.si(), twin.state.power.si());
        // A fused attention is launched once here; the twin launches its operations one by one.
        const double most = attends(iteration_of_subject(subject)) ? 0.09 : 0.01;
        EXPECT_LT(time, most) << text_of(subject, device) << " at " << setting.clock->si();
        EXPECT_LT(power, most) << text_of(subject, device) << " at " << setting.clock->si();
      }
    }
  }
}

// Twins were calibrated without the per-row cost of layer norms.
TEST(TwinPrediction, ShortRowsTakeLongerThanInTheTwin) {
  const Predictor predictor(test::gpu_named("h200"));
  const WorkloadConfig config{128, Mode::inference, Precision::bf16};
  const auto twin = [&](const char* network) {
    const auto work =
        device::workload_of(test::network_named(network), config.batch, config.mode, config.precision)
            .value();
    return device::estimate(work, predictor.gpu(), {})->state.activity.time;
  };
  const auto predicted = [&](const char* network) {
    return predictor.prepare(test::iteration_named(network, config))->predict({}).time.value;
  };
  EXPECT_GT((predicted("convnext_tiny") / twin("convnext_tiny")).si(), 1.1) << "rows of 96 channels";
  EXPECT_NEAR((predicted("vit_b_16") / twin("vit_b_16")).si(), 1, 0.09) << "rows of 768";
}

// At a high ambient temperature the GPU slows down before it reaches its power limit.
TEST(TwinPrediction, ThermalLimitsLowerTheClock) {
  auto gpu = test::gpu_named("a30");
  gpu.thermal.slowdown = gpu.thermal.ambient + Kelvins{25};
  const Subject subject{"resnet50", {32, Mode::training, Precision::tf32}};
  const auto work = device::workload_of(test::network_named(subject.network), subject.config.batch,
                                        subject.config.mode, subject.config.precision)
                        .value();
  const auto twin = device::estimate(work, gpu, {}).value();
  ASSERT_TRUE(twin.state.limited);
  const Prediction prediction = Predictor(gpu).prepare(iteration_of_subject(subject))->predict({});
  EXPECT_NEAR((prediction.clock / twin.state.clock).si(), 1, 0.01);
  EXPECT_NEAR((prediction.power.value / twin.state.power).si(), 1, 0.01);
}

template <typename Check>
void for_each_prepared(const Check& check) {
  for (const std::string& device : device::device_names()) {
    const Predictor predictor(test::gpu_named(device));
    for (const Subject& subject : kSubjects) {
      const auto prepared = predictor.prepare(iteration_of_subject(subject));
      if (!prepared) continue;
      SCOPED_TRACE(text_of(subject, device));
      check(predictor.gpu(), *prepared);
    }
  }
}

TEST(Prediction, TimeNeverFallsAtALowerClock) {
  for_each_prepared([](const device::Specification& gpu, const PreparedNetwork& prepared) {
    Seconds last{1e9};
    for (const Hertz clock : test::clocks_of(gpu, 60)) {
      const Prediction prediction = prepared.predict({clock, std::nullopt});
      ASSERT_LE(prediction.clock, clock);
      ASSERT_LE(prediction.time.value, last * (1 + 1e-6)) << clock.si();
      last = prediction.time.value;
    }
  });
}

TEST(Prediction, PowerStaysWithinALimitThatIsHeld) {
  for_each_prepared([](const device::Specification& gpu, const PreparedNetwork& prepared) {
    Seconds last{0};
    for (int i = 20; i >= 0; --i) {
      const Watts limit = gpu.limit.min + (gpu.limit.max - gpu.limit.min) * (i / 20.0);
      const Prediction prediction = prepared.predict({std::nullopt, limit});
      ASSERT_TRUE(prediction.power.value <= std::max(limit, gpu.limit.holds_from) * (1 + 1e-9) ||
                  prediction.clock == gpu.core.min);
      ASSERT_EQ(prediction.limit_held, prediction.power.value <= limit * (1 + 1e-9));
      ASSERT_EQ(prediction.limited, prediction.clock < gpu.core.max);
      ASSERT_GE(prediction.time.value, last * (1 - 1e-6)) << "a lower limit is not faster";
      last = prediction.time.value;
    }
  });
}

TEST(Prediction, DefaultsToTheHighestClockAndTheDefaultLimit) {
  for_each_prepared([](const device::Specification& gpu, const PreparedNetwork& prepared) {
    const Prediction none = prepared.predict({}),
                     said = prepared.predict({gpu.core.max, gpu.limit.default_limit});
    EXPECT_EQ(none.time.value, said.time.value);
    EXPECT_EQ(none.power.value, said.power.value);
  });
}

template <typename Q>
void expect_around(const PredictedValue<Q>& each) {
  EXPECT_LT(each.low, each.value);
  EXPECT_LT(each.value, each.high);
  EXPECT_GT(each.low, Q{0});
}

TEST(Prediction, QuantitiesAreConsistent) {
  for_each_prepared([](const device::Specification&, const PreparedNetwork& prepared) {
    const Prediction prediction = prepared.predict({});
    const double energy = (prediction.time.value * prediction.power.value).si();
    EXPECT_NEAR(prediction.energy.value.si() / energy, 1, 1e-12);
    EXPECT_NEAR(
        prediction.energy_per_sample.value.si() * static_cast<double>(prepared.config().batch) / energy, 1,
        1e-12);
    EXPECT_NEAR(prediction.energy_delay.value.si() / (energy * prediction.time.value.si()), 1, 1e-12);
    expect_around(prediction.time);
    expect_around(prediction.power);
    expect_around(prediction.energy);
    expect_around(prediction.energy_per_sample);
    expect_around(prediction.energy_delay);
  });
}

void expect_adding_up(const PreparedNetwork& prepared, const device::ClockAndLimit& setting) {
  const Prediction whole = prepared.predict(setting);
  const auto operations = prepared.operations(setting);
  ASSERT_FALSE(operations.empty());
  Seconds time;
  Joules energy, last{1e9};
  for (const OperationPrediction& each : operations) {
    time += each.time;
    energy += each.energy;
    EXPECT_GT(each.time, 0_s);
    EXPECT_GT(each.energy, 0_J);
    EXPECT_GE(each.count, 1);
    EXPECT_FALSE(each.kind.empty());
    EXPECT_LE(each.energy, last) << "by descending energy";
    last = each.energy;
  }
  EXPECT_NEAR((time / whole.time.value).si(), 1, 1e-9);
  EXPECT_NEAR((energy / whole.energy.value).si(), 1, 1e-9);
}

TEST(Operations, AddUpToTheNetwork) {
  for_each_prepared([](const device::Specification& gpu, const PreparedNetwork& prepared) {
    expect_adding_up(prepared, {});
    expect_adding_up(prepared, {gpu.core.min, std::nullopt});
    expect_adding_up(prepared, {std::nullopt, gpu.limit.min});
  });
}

TEST(Operations, CountEveryStepOfTheNetwork) {
  const Predictor predictor(test::gpu_named("a30"));
  double convolutions = 0;
  for (const auto& each :
       predictor.prepare(iteration_of_subject({"resnet50", {32, Mode::inference, Precision::tf32}}))
           ->operations({})) {
    if (each.kind == "conv") convolutions += each.count;
  }
  EXPECT_EQ(convolutions, 53);
}

TEST(Predictor, RejectsABatchThatDoesNotFit) {
  const Predictor predictor(test::gpu_named("rtx2080ti"));
  const auto prepared =
      predictor.prepare(test::network_named("vgg16"), {4096, Mode::training, Precision::fp32});
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().kind, Errc::out_of_memory);
  for (const char* word : {"vgg16", "4096", "rtx2080ti"})
    EXPECT_NE(prepared.error().message.find(word), std::string::npos) << prepared.error().message;
}

TEST(Predictor, RejectsAnInvalidBatch) {
  const Predictor predictor(test::gpu_named("a30"));
  EXPECT_FALSE(predictor.prepare(test::network_named("resnet18"), {0, Mode::inference, {}}));
}

Model calibrated(const std::string& device) {
  Model model;
  model.device = device;
  model.source = PredictionSource::calibrated;
  const auto gpu = test::gpu_named(device);
  model.launch_overhead.set_default(Mode::inference, gpu.host.inference);
  model.launch_overhead.set_default(Mode::training, gpu.host.training);
  return model;
}

TEST(Predictor, RejectsAModelOfAnotherDevice) {
  const auto predictor = Predictor::with(test::gpu_named("a30"), calibrated("h200"));
  ASSERT_FALSE(predictor);
  EXPECT_EQ(predictor.error().kind, Errc::invalid_input);
  EXPECT_NE(predictor.error().message.find("h200"), std::string::npos);
  EXPECT_NE(predictor.error().message.find("a30"), std::string::npos);
  EXPECT_TRUE(Predictor::with(test::gpu_named("a30"), calibrated("a30")));
}

TEST(CalibratedPrediction, WithoutCorrectionsIsTheTwin) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const Predictor twin(test::gpu_named(device));
    const auto model = Predictor::with(test::gpu_named(device), calibrated(device)).value();
    for (const Subject& subject : kSubjects) {
      const auto a = twin.prepare(iteration_of_subject(subject)),
                 b = model.prepare(iteration_of_subject(subject));
      ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b));
      if (!a) continue;
      for (const Hertz clock : test::clocks_of(twin.gpu(), 5)) {
        const Prediction one = a->predict({clock, {}}), two = b->predict({clock, {}});
        EXPECT_EQ(two.source, PredictionSource::calibrated);
        EXPECT_NEAR((two.time.value / one.time.value).si(), 1, 1e-6) << text_of(subject, device);
        EXPECT_NEAR((two.power.value / one.power.value).si(), 1, 1e-6) << text_of(subject, device);
      }
    }
  }
}

TEST(CalibratedPrediction, CorrectionsScaleTimeAndPower) {
  const auto gpu = test::unlimited(test::gpu_named("a30"));
  Model model = calibrated("a30");
  const Subject subject{"vgg16", {8, Mode::inference, Precision::fp16}};
  model.corrections.by_config[{Mode::inference, Precision::fp16}] = {std::log(1.3), 0, std::log(0.9)};
  const auto twin = Predictor(gpu).prepare(iteration_of_subject(subject))->predict({});
  const auto moved = Predictor::with(gpu, model)->prepare(iteration_of_subject(subject))->predict({});
  EXPECT_NEAR((moved.time.value / twin.time.value).si(), 1.3, 0.02);
  EXPECT_NEAR((moved.power.value / twin.power.value).si(), 0.9, 1e-6);
}

Forest answering(float value) {
  Forest forest;
  EXPECT_TRUE(forest.add(std::vector<Forest::Node>{{.value = value}}));
  return forest;
}

// Predicts the same ratio for every operation; all operations of the iteration are in its range.
Model learned(const device::Specification& gpu, const Iteration& iteration, double time, double power) {
  Model model = calibrated(gpu.name);
  model.source = PredictionSource::learned;
  model.time = answering(static_cast<float>(std::log(time)));
  model.power = answering(static_cast<float>(std::log(power)));
  model.shrinkage = {{Mode::inference, {1, 0}}, {Mode::training, {1, 0}}};
  model.widths[LaunchHost::python] = {{0.1, 0.05, 0.12}, {0.2, 0.15, 0.22}};
  for (const Task& task : iteration.tasks) model.range[{task.kind, iteration.config.mode}] = {1, 1e15, 1};
  return model;
}

TEST(LearnedPrediction, UsesThePhysicalEstimateForUnmeasuredTypes) {
  const auto gpu = test::unlimited(test::gpu_named("a30"));
  const Iteration& iteration = iteration_of_subject({"vgg16", {8, Mode::inference, Precision::tf32}});
  Model model = learned(gpu, iteration, 1.5, 1);
  const auto all = Predictor::with(gpu, model)->prepare(iteration)->predict({});
  std::erase_if(model.range, [](const auto& each) { return each.first.first != "relu"; });
  const auto little = Predictor::with(gpu, model)->prepare(iteration)->predict({});
  const auto twin = Predictor(gpu).prepare(iteration)->predict({});
  EXPECT_NEAR((all.time.value / twin.time.value).si(), 1.5, 0.01);
  EXPECT_LT((little.time.value / twin.time.value).si(), 1.05);
}

TEST(LaunchHosts, WarnsAboutAnUnmeasuredHost) {
  const auto gpu = test::unlimited(test::gpu_named("a30"));
  Iteration iteration = iteration_of_subject({"resnet50", {1, Mode::inference, Precision::fp16}});
  Model model = learned(gpu, iteration, 1, 1);
  model.corrections.by_config[{Mode::inference, Precision::fp16, LaunchHost::python}] = {};
  const auto predictor = Predictor::with(gpu, model).value();
  const auto warnings_of_host = [&](const Predictor& each) {
    const auto prepared = each.prepare(iteration).value();
    return std::ranges::count_if(prepared.warnings(), [](const std::string& warning) {
      return warning.find("host") != std::string::npos;
    });
  };
  for (const Predictor& each : {predictor, Predictor(gpu)}) EXPECT_EQ(warnings_of_host(each), 0);
  iteration.config.host = LaunchHost::native;
  for (const Predictor& each : {predictor, Predictor(gpu)}) EXPECT_EQ(warnings_of_host(each), 1);
}

TEST(TwinPrediction, WarnsAboutArithmeticThatTheDeviceDoesNotSupport) {
  const Predictor predictor(test::gpu_named("v100"));
  const auto warnings = [&](Precision precision) {
    const auto prepared =
        predictor.prepare(test::iteration_named("resnet18", {8, Mode::inference, precision}));
    return prepared.value().warnings();
  };
  const std::string warning = "v100 does not support bf16: the arithmetic is fp32, storage is 16 bits";
  const auto has = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), warning) != all.end();
  };
  EXPECT_TRUE(has(warnings(Precision::bf16)));
  EXPECT_FALSE(has(warnings(Precision::fp16)));
  EXPECT_FALSE(has(warnings(Precision::tf32)));
}

TEST(LearnedPrediction, UsesTheCorrectionsOfItsHost) {
  const auto gpu = test::unlimited(test::gpu_named("a30"));
  Iteration iteration = iteration_of_subject({"resnet50", {1, Mode::inference, Precision::fp16}});
  Model model = learned(gpu, iteration, 1, 1);
  model.corrections.by_config[{Mode::inference, Precision::fp16, LaunchHost::python}] = {0, std::log(4.0), 0};
  model.corrections.by_config[{Mode::inference, Precision::fp16, LaunchHost::native}] = {0, std::log(2.0), 0};
  model.widths[LaunchHost::native] = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
  const auto predictor = Predictor::with(gpu, model).value();
  const PredictedValue<Seconds> python = predictor.prepare(iteration)->predict({}).time;
  iteration.config.host = LaunchHost::native;
  const PredictedValue<Seconds> native = predictor.prepare(iteration)->predict({}).time;
  EXPECT_NEAR((python.value / native.value).si(), 2, 0.01);
  EXPECT_NEAR(std::log((python.high / python.value).si()), 0.2, 1e-9);
  EXPECT_NEAR(std::log((native.high / native.value).si()), 0.5, 1e-9);
}

TEST(LearnedPrediction, MultipliesThePhysicalEstimate) {
  const auto gpu = test::unlimited(test::gpu_named("a30"));
  const Iteration& iteration = iteration_of_subject({"vgg16", {8, Mode::inference, Precision::fp16}});
  const auto prepared = Predictor::with(gpu, learned(gpu, iteration, 1.5, 0.8))->prepare(iteration);
  ASSERT_TRUE(prepared);
  const Prediction prediction = prepared->predict({});
  EXPECT_EQ(prediction.source, PredictionSource::learned);
  const device::Activity sum = test::summed(iteration, gpu, gpu.core.max);
  EXPECT_NEAR(
      (prediction.time.value / device::iteration_time(sum.gpu * 1.5, test::host_of(iteration, gpu))).si(), 1,
      1e-3);
  EXPECT_TRUE(prepared->warnings().empty());
  EXPECT_NEAR((prediction.time.high / prediction.time.value).si(), std::exp(0.1), 1e-9);
  EXPECT_NEAR((prediction.power.value / prediction.power.low).si(), std::exp(0.05), 1e-9);
  EXPECT_NEAR((prediction.energy.high / prediction.energy.value).si(), std::exp(0.12), 1e-9);
  // Power of the operations alone, times the learned ratio.
  Joules alone;
  for (const Task& task : iteration.tasks) {
    const Settled each = settle(TaskEstimate(task, iteration.config.precision, gpu), gpu, gpu.core.max,
                                gpu.limit.default_limit);
    alone += each.activity.gpu * each.power * (1.5 * 0.8 * task.count);
  }
  EXPECT_NEAR((prediction.power.value * sum.gpu * 1.5 / alone).si(), 1, 0.02);
  expect_adding_up(*prepared, {});
}

// At a lower clock kernels take longer than launches.
TEST(Prediction, ReportsHostBoundNetworks) {
  const auto gpu = test::gpu_named("h200");
  const Predictor predictor(gpu);
  const Iteration& small = iteration_of_subject({"resnet18", {1, Mode::inference, Precision::fp32}});
  const Iteration& large = iteration_of_subject({"vgg16", {64, Mode::inference, Precision::fp32}});
  EXPECT_TRUE(predictor.prepare(small)->predict({}).host_bound);
  EXPECT_FALSE(predictor.prepare(large)->predict({}).host_bound);
  const Iteration& middle = iteration_of_subject({"resnet18", {16, Mode::inference, Precision::fp32}});
  const Prediction fast = predictor.prepare(middle)->predict({});
  const Prediction slow = predictor.prepare(middle)->predict({gpu.core.min, {}});
  EXPECT_GE(fast.host_bound, slow.host_bound);
}

TEST(LearnedPrediction, HostBoundNetworksHaveSeparateIntervals) {
  const auto gpu = test::gpu_named("h200");
  const Iteration& iteration = iteration_of_subject({"resnet18", {1, Mode::inference, Precision::fp32}});
  const Prediction prediction =
      Predictor::with(gpu, learned(gpu, iteration, 1, 1))->prepare(iteration)->predict({});
  EXPECT_NEAR((prediction.time.high / prediction.time.value).si(), std::exp(0.2), 1e-9);
}

TEST(LearnedPrediction, WarnsAndWidensIntervalsOutsideTheTrainingData) {
  const auto gpu = test::gpu_named("a30");
  const Iteration& iteration = iteration_of_subject({"vgg16", {8, Mode::inference, Precision::fp16}});
  Model known = learned(gpu, iteration, 1, 1), never = known, larger = known, smaller = known;
  never.range.erase({"conv", Mode::inference});
  larger.range[{"conv", Mode::inference}] = {1, 10, 5};
  smaller.range[{"conv", Mode::inference}] = {1e14, 1e15, 5};
  const auto width = [&](const Model& model) {
    const Prediction prediction = Predictor::with(gpu, model)->prepare(iteration)->predict({});
    return std::log((prediction.time.high / prediction.time.value).si());
  };
  for (const auto& [model, word] : {std::pair{never, "no conv"}, {larger, "larger"}, {smaller, "smaller"}}) {
    const auto prepared = Predictor::with(gpu, model)->prepare(iteration).value();
    ASSERT_EQ(prepared.warnings().size(), 1U);
    EXPECT_NE(prepared.warnings()[0].find("conv"), std::string::npos);
    EXPECT_NE(prepared.warnings()[0].find(word), std::string::npos) << prepared.warnings()[0];
    EXPECT_GT(width(model), 1.5 * width(known));
  }
}

TEST(LearnedPrediction, HoldsLimitsAndIsMonotonicInTheClock) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const auto gpu = test::gpu_named(device);
    for (const Subject& subject : kSubjects) {
      const Iteration& iteration = iteration_of_subject(subject);
      for (const auto& [time, power] : {std::pair{0.5, 2.0}, {2.0, 0.5}, {1.0, 1.5}}) {
        Model model = learned(gpu, iteration, time, power);
        model.corrections.max_power = gpu.limit.default_limit * 1.05;
        const auto prepared = Predictor::with(gpu, model)->prepare(iteration);
        if (!prepared) continue;
        Seconds last{1e9};
        for (const Hertz clock : test::clocks_of(gpu, 12)) {
          const Prediction prediction = prepared->predict({clock, {}});
          ASSERT_LE(prediction.time.value, last * (1 + 1e-6)) << text_of(subject, device);
          ASSERT_TRUE(prediction.clock == gpu.core.min ||
                      prediction.power.value <=
                          std::max(gpu.limit.default_limit, gpu.limit.holds_from) * (1 + 1e-9))
              << text_of(subject, device);
          last = prediction.time.value;
        }
        expect_adding_up(*prepared, {});
      }
    }
  }
}

TEST(Predictor, PreparedNetworksAreCopyable) {
  const Predictor predictor(test::gpu_named("a30"));
  const auto prepared = predictor.prepare(iteration_of_subject(kSubjects[0])).value();
  const PreparedNetwork copy = prepared;
  EXPECT_EQ(copy.predict({}).time.value, prepared.predict({}).time.value);
}

}  // namespace
}  // namespace ergon::predict
