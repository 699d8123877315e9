#include "predict/predictor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "predict/features.h"
#include "predict/some_jobs.h"

namespace ergon::predict {
namespace {

using namespace literals;
using device::Precision;
using graph::Mode;

struct Subject {
  const char* network;
  Condition condition;
};

// From networks that wait for their host to those that fill the chip.
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

const Job& job_of_subject(const Subject& subject) {
  static std::map<std::pair<std::string, Condition>, Job> known;
  const std::pair key{std::string(subject.network), subject.condition};
  if (!known.contains(key)) known[key] = test::job_called(subject.network, subject.condition);
  return known[key];
}

std::string text_of(const Subject& subject, const std::string& device) {
  return fmt::format("{} {} at {} on {}", subject.network,
                     subject.condition.mode == Mode::training ? "training" : "inference",
                     subject.condition.batch, device);
}

bool attends(const Job& job) {
  return std::any_of(job.tasks.begin(), job.tasks.end(),
                     [](const Task& task) { return task.kind == "attention"; });
}

// Both are the same physics, over steps here and over operations there.
TEST(TwinRegime, AgreesWithTheTwin) {
  for (const std::string& device : device::device_names()) {
    const Predictor predictor(test::gpu_called(device));
    const auto& gpu = predictor.gpu();
    for (const Subject& subject : kSubjects) {
      const auto outlook = predictor.prepare(job_of_subject(subject));
      const auto work = device::workload_of(test::network_called(subject.network), subject.condition.batch,
                                            subject.condition.mode, subject.condition.precision)
                            .value();
      ASSERT_EQ(static_cast<bool>(outlook), static_cast<bool>(device::estimate(work, gpu, {})));
      if (!outlook) continue;
      for (const double way : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const device::Setting setting{gpu.core.least + (gpu.core.most - gpu.core.least) * way, std::nullopt};
        const auto twin = device::estimate(work, gpu, setting).value();
        const Forecast forecast = outlook->at(setting);
        EXPECT_EQ(forecast.regime, Regime::twin);
        EXPECT_EQ(outlook->memory(), twin.memory);
        const double time = test::off(forecast.time.value.si(), twin.state.activity.time.si());
        const double power = test::off(forecast.power.value.si(), twin.state.power.si());
        // One kernel for an attention is launched once here and operation by operation there.
        const double most = attends(job_of_subject(subject)) ? 0.09 : 0.01;
        EXPECT_LT(time, most) << text_of(subject, device) << " at " << setting.clock->si();
        EXPECT_LT(power, most) << text_of(subject, device) << " at " << setting.clock->si();
      }
    }
  }
}

// Twins were calibrated without the time that layer norms take for every row, however short.
TEST(TwinRegime, ShortRowsTakeLongerThanTheTwinKnows) {
  const Predictor predictor(test::gpu_called("h200"));
  const Condition condition{128, Mode::inference, Precision::bf16};
  const auto twin = [&](const char* network) {
    const auto work = device::workload_of(test::network_called(network), condition.batch, condition.mode,
                                          condition.precision)
                          .value();
    return device::estimate(work, predictor.gpu(), {})->state.activity.time;
  };
  const auto ours = [&](const char* network) {
    return predictor.prepare(test::job_called(network, condition))->at({}).time.value;
  };
  EXPECT_GT((ours("convnext_tiny") / twin("convnext_tiny")).si(), 1.1) << "rows of 96 channels";
  EXPECT_NEAR((ours("vit_b_16") / twin("vit_b_16")).si(), 1, 0.09) << "rows of 768";
}

// On a hot day the chip slows down before it reaches its limit.
TEST(TwinRegime, HeatHoldsTheClockDownAsOnTheTwin) {
  auto gpu = test::gpu_called("a30");
  gpu.thermal.slowdown = gpu.thermal.ambient + Kelvins{25};
  const Subject subject{"resnet50", {32, Mode::training, Precision::tf32}};
  const auto work = device::workload_of(test::network_called(subject.network), subject.condition.batch,
                                        subject.condition.mode, subject.condition.precision)
                        .value();
  const auto twin = device::estimate(work, gpu, {}).value();
  ASSERT_TRUE(twin.state.limited);
  const Forecast forecast = Predictor(gpu).prepare(job_of_subject(subject))->at({});
  EXPECT_NEAR((forecast.clock / twin.state.clock).si(), 1, 0.01);
  EXPECT_NEAR((forecast.power.value / twin.state.power).si(), 1, 0.01);
}

template <typename Check>
void with_every_outlook(const Check& check) {
  for (const std::string& device : device::device_names()) {
    const Predictor predictor(test::gpu_called(device));
    for (const Subject& subject : kSubjects) {
      const auto outlook = predictor.prepare(job_of_subject(subject));
      if (!outlook) continue;
      SCOPED_TRACE(text_of(subject, device));
      check(predictor.gpu(), *outlook);
    }
  }
}

TEST(Forecast, TimeNeverFallsAtALowerClock) {
  with_every_outlook([](const device::Specification& gpu, const Outlook& outlook) {
    Seconds last{1e9};
    for (const Hertz clock : test::clocks_of(gpu, 60)) {
      const Forecast forecast = outlook.at({clock, std::nullopt});
      ASSERT_LE(forecast.clock, clock);
      ASSERT_LE(forecast.time.value, last * (1 + 1e-6)) << clock.si();
      last = forecast.time.value;
    }
  });
}

TEST(Forecast, PowerNeverExceedsALimitThatIsKept) {
  with_every_outlook([](const device::Specification& gpu, const Outlook& outlook) {
    Seconds last{0};
    for (int i = 20; i >= 0; --i) {
      const Watts limit = gpu.limit.least + (gpu.limit.most - gpu.limit.least) * (i / 20.0);
      const Forecast forecast = outlook.at({std::nullopt, limit});
      ASSERT_TRUE(forecast.power.value <= std::max(limit, gpu.limit.holds_from) * (1 + 1e-9) ||
                  forecast.clock == gpu.core.least);
      ASSERT_EQ(forecast.kept, forecast.power.value <= limit * (1 + 1e-9));
      ASSERT_EQ(forecast.limited, forecast.clock < gpu.core.most);
      ASSERT_GE(forecast.time.value, last * (1 - 1e-6)) << "a lower limit is no faster";
      last = forecast.time.value;
    }
  });
}

TEST(Forecast, WithoutAWishRunsAtTheHighestClockAndTheUsualLimit) {
  with_every_outlook([](const device::Specification& gpu, const Outlook& outlook) {
    const Forecast none = outlook.at({}), said = outlook.at({gpu.core.most, gpu.limit.usual});
    EXPECT_EQ(none.time.value, said.time.value);
    EXPECT_EQ(none.power.value, said.power.value);
  });
}

template <typename Q>
void expect_around(const Expected<Q>& each) {
  EXPECT_LT(each.low, each.value);
  EXPECT_LT(each.value, each.high);
  EXPECT_GT(each.low, Q{0});
}

TEST(Forecast, QuantitiesBelongTogether) {
  with_every_outlook([](const device::Specification&, const Outlook& outlook) {
    const Forecast forecast = outlook.at({});
    const double energy = (forecast.time.value * forecast.power.value).si();
    EXPECT_NEAR(forecast.energy.value.si() / energy, 1, 1e-12);
    EXPECT_NEAR(
        forecast.energy_per_sample.value.si() * static_cast<double>(outlook.condition().batch) / energy, 1,
        1e-12);
    EXPECT_NEAR(forecast.energy_delay.value.si() / (energy * forecast.time.value.si()), 1, 1e-12);
    expect_around(forecast.time);
    expect_around(forecast.power);
    expect_around(forecast.energy);
    expect_around(forecast.energy_per_sample);
    expect_around(forecast.energy_delay);
  });
}

void expect_adding_up(const Outlook& outlook, const device::Setting& setting) {
  const Forecast whole = outlook.at(setting);
  const auto operations = outlook.operations(setting);
  ASSERT_FALSE(operations.empty());
  Seconds time;
  Joules energy, last{1e9};
  for (const OperationForecast& each : operations) {
    time += each.time;
    energy += each.energy;
    EXPECT_GT(each.time, 0_s);
    EXPECT_GT(each.energy, 0_J);
    EXPECT_GE(each.count, 1);
    EXPECT_FALSE(each.kind.empty());
    EXPECT_LE(each.energy, last) << "the costliest first";
    last = each.energy;
  }
  EXPECT_NEAR((time / whole.time.value).si(), 1, 1e-9);
  EXPECT_NEAR((energy / whole.energy.value).si(), 1, 1e-9);
}

TEST(Operations, AddUpToTheWhole) {
  with_every_outlook([](const device::Specification& gpu, const Outlook& outlook) {
    expect_adding_up(outlook, {});
    expect_adding_up(outlook, {gpu.core.least, std::nullopt});
    expect_adding_up(outlook, {std::nullopt, gpu.limit.least});
  });
}

TEST(Operations, CountEveryStepOfTheNetwork) {
  const Predictor predictor(test::gpu_called("a30"));
  double convolutions = 0;
  for (const auto& each :
       predictor.prepare(job_of_subject({"resnet50", {32, Mode::inference, Precision::tf32}}))
           ->operations({})) {
    if (each.kind == "conv") convolutions += each.count;
  }
  EXPECT_EQ(convolutions, 53);
}

TEST(Predictor, ABatchThatDoesNotFitIsOutOfMemory) {
  const Predictor predictor(test::gpu_called("rtx2080ti"));
  const auto outlook =
      predictor.prepare(test::network_called("vgg16"), {4096, Mode::training, Precision::fp32});
  ASSERT_FALSE(outlook);
  EXPECT_EQ(outlook.error().kind, Errc::out_of_memory);
  for (const char* word : {"vgg16", "4096", "rtx2080ti"})
    EXPECT_NE(outlook.error().message.find(word), std::string::npos) << outlook.error().message;
}

TEST(Predictor, ABatchThatCannotBeIsAnError) {
  const Predictor predictor(test::gpu_called("a30"));
  EXPECT_FALSE(predictor.prepare(test::network_called("resnet18"), {0, Mode::inference, {}}));
}

Model calibrated(const std::string& device) {
  Model model;
  model.device = device;
  model.regime = Regime::calibrated;
  const auto gpu = test::gpu_called(device);
  model.hosts.set_usual(Mode::inference, gpu.host.inference);
  model.hosts.set_usual(Mode::training, gpu.host.training);
  return model;
}

TEST(Predictor, AModelOfAnotherDeviceIsRefusedByName) {
  const auto predictor = Predictor::with(test::gpu_called("a30"), calibrated("h200"));
  ASSERT_FALSE(predictor);
  EXPECT_EQ(predictor.error().kind, Errc::invalid_input);
  EXPECT_NE(predictor.error().message.find("h200"), std::string::npos);
  EXPECT_NE(predictor.error().message.find("a30"), std::string::npos);
  EXPECT_TRUE(Predictor::with(test::gpu_called("a30"), calibrated("a30")));
}

TEST(CalibratedRegime, WithoutCorrectionsIsTheTwin) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const Predictor twin(test::gpu_called(device));
    const auto model = Predictor::with(test::gpu_called(device), calibrated(device)).value();
    for (const Subject& subject : kSubjects) {
      const auto a = twin.prepare(job_of_subject(subject)), b = model.prepare(job_of_subject(subject));
      ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b));
      if (!a) continue;
      for (const Hertz clock : test::clocks_of(twin.gpu(), 5)) {
        const Forecast one = a->at({clock, {}}), two = b->at({clock, {}});
        EXPECT_EQ(two.regime, Regime::calibrated);
        EXPECT_NEAR((two.time.value / one.time.value).si(), 1, 1e-6) << text_of(subject, device);
        EXPECT_NEAR((two.power.value / one.power.value).si(), 1, 1e-6) << text_of(subject, device);
      }
    }
  }
}

TEST(CalibratedRegime, CorrectionsMoveTimeAndPower) {
  const auto gpu = test::unlimited(test::gpu_called("a30"));
  Model model = calibrated("a30");
  const Subject subject{"vgg16", {8, Mode::inference, Precision::fp16}};
  model.corrections.kinds[{Mode::inference, Precision::fp16}] = {std::log(1.3), 0, std::log(0.9)};
  const auto twin = Predictor(gpu).prepare(job_of_subject(subject))->at({});
  const auto moved = Predictor::with(gpu, model)->prepare(job_of_subject(subject))->at({});
  EXPECT_NEAR((moved.time.value / twin.time.value).si(), 1.3, 0.02);
  EXPECT_NEAR((moved.power.value / twin.power.value).si(), 0.9, 1e-6);
}

Forest answering(float value) {
  Forest forest;
  EXPECT_TRUE(forest.add(std::vector<Forest::Node>{{.value = value}}));
  return forest;
}

// Says the same of every operation, and has seen all that a job consists of.
Model learned(const device::Specification& gpu, const Job& job, double time, double power) {
  Model model = calibrated(gpu.name);
  model.regime = Regime::learned;
  model.time = answering(static_cast<float>(std::log(time)));
  model.power = answering(static_cast<float>(std::log(power)));
  model.trust = {{Mode::inference, {1, 0}}, {Mode::training, {1, 0}}};
  model.widths[Host::python] = {{0.1, 0.05, 0.12}, {0.2, 0.15, 0.22}};
  for (const Task& task : job.tasks) model.range[{task.kind, job.condition.mode}] = {1, 1e15, 1};
  return model;
}

TEST(LearnedRegime, OfKindsThatNobodyMeasuredPhysicsSpeaksAlone) {
  const auto gpu = test::unlimited(test::gpu_called("a30"));
  const Job& job = job_of_subject({"vgg16", {8, Mode::inference, Precision::tf32}});
  Model model = learned(gpu, job, 1.5, 1);
  const auto all = Predictor::with(gpu, model)->prepare(job)->at({});
  std::erase_if(model.range, [](const auto& each) { return each.first.first != "relu"; });
  const auto little = Predictor::with(gpu, model)->prepare(job)->at({});
  const auto twin = Predictor(gpu).prepare(job)->at({});
  EXPECT_NEAR((all.time.value / twin.time.value).si(), 1.5, 0.01);
  EXPECT_LT((little.time.value / twin.time.value).si(), 1.05);
}

TEST(Hosts, OneThatNobodyMeasuredIsNamed) {
  const auto gpu = test::unlimited(test::gpu_called("a30"));
  Job job = job_of_subject({"resnet50", {1, Mode::inference, Precision::fp16}});
  Model model = learned(gpu, job, 1, 1);
  model.corrections.kinds[{Mode::inference, Precision::fp16, Host::python}] = {};
  const auto predictor = Predictor::with(gpu, model).value();
  EXPECT_TRUE(predictor.prepare(job)->warnings().empty());
  EXPECT_TRUE(Predictor(gpu).prepare(job)->warnings().empty());
  job.condition.host = Host::native;
  for (const Predictor& each : {predictor, Predictor(gpu)}) {
    ASSERT_EQ(each.prepare(job)->warnings().size(), 1U);
    EXPECT_NE(each.prepare(job)->warnings()[0].find("native"), std::string::npos);
  }
}

TEST(LearnedRegime, AsksForTheFactorsOfItsHost) {
  const auto gpu = test::unlimited(test::gpu_called("a30"));
  Job job = job_of_subject({"resnet50", {1, Mode::inference, Precision::fp16}});
  Model model = learned(gpu, job, 1, 1);
  model.corrections.kinds[{Mode::inference, Precision::fp16, Host::python}] = {0, std::log(4.0), 0};
  model.corrections.kinds[{Mode::inference, Precision::fp16, Host::native}] = {0, std::log(2.0), 0};
  model.widths[Host::native] = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
  const auto predictor = Predictor::with(gpu, model).value();
  const Expected<Seconds> python = predictor.prepare(job)->at({}).time;
  job.condition.host = Host::native;
  const Expected<Seconds> native = predictor.prepare(job)->at({}).time;
  EXPECT_NEAR((python.value / native.value).si(), 2, 0.01);
  EXPECT_NEAR(std::log((python.high / python.value).si()), 0.2, 1e-9);
  EXPECT_NEAR(std::log((native.high / native.value).si()), 0.5, 1e-9);
}

TEST(LearnedRegime, MultipliesWhatPhysicsSays) {
  const auto gpu = test::unlimited(test::gpu_called("a30"));
  const Job& job = job_of_subject({"vgg16", {8, Mode::inference, Precision::fp16}});
  const auto outlook = Predictor::with(gpu, learned(gpu, job, 1.5, 0.8))->prepare(job);
  ASSERT_TRUE(outlook);
  const Forecast forecast = outlook->at({});
  EXPECT_EQ(forecast.regime, Regime::learned);
  const device::Activity sum = test::summed(job, gpu, gpu.core.most);
  EXPECT_NEAR((forecast.time.value / device::pace(sum.gpu * 1.5, test::host_of(job, gpu))).si(), 1, 1e-3);
  EXPECT_TRUE(outlook->warnings().empty());
  EXPECT_NEAR((forecast.time.high / forecast.time.value).si(), std::exp(0.1), 1e-9);
  EXPECT_NEAR((forecast.power.value / forecast.power.low).si(), std::exp(0.05), 1e-9);
  EXPECT_NEAR((forecast.energy.high / forecast.energy.value).si(), std::exp(0.12), 1e-9);
  // Operations draw what they draw by themselves, times what was learned.
  Joules alone;
  for (const Task& task : job.tasks) {
    const Settled each =
        settle(PlacedTask(task, job.condition.precision, gpu), gpu, gpu.core.most, gpu.limit.usual);
    alone += each.activity.gpu * each.power * (1.5 * 0.8 * task.count);
  }
  EXPECT_NEAR((forecast.power.value * sum.gpu * 1.5 / alone).si(), 1, 0.02);
  expect_adding_up(*outlook, {});
}

// A lower clock gives the host more time.
TEST(Forecast, SaysWhetherTheGpuWaitsForItsHost) {
  const auto gpu = test::gpu_called("h200");
  const Predictor predictor(gpu);
  const Job& small = job_of_subject({"resnet18", {1, Mode::inference, Precision::fp32}});
  const Job& large = job_of_subject({"vgg16", {64, Mode::inference, Precision::fp32}});
  EXPECT_TRUE(predictor.prepare(small)->at({}).host_bound);
  EXPECT_FALSE(predictor.prepare(large)->at({}).host_bound);
  const Job& middle = job_of_subject({"resnet18", {16, Mode::inference, Precision::fp32}});
  const Forecast fast = predictor.prepare(middle)->at({});
  const Forecast slow = predictor.prepare(middle)->at({gpu.core.least, {}});
  EXPECT_GE(fast.host_bound, slow.host_bound);
}

TEST(LearnedRegime, NetworksThatWaitHaveTheirOwnIntervals) {
  const auto gpu = test::gpu_called("h200");
  const Job& job = job_of_subject({"resnet18", {1, Mode::inference, Precision::fp32}});
  const Forecast forecast = Predictor::with(gpu, learned(gpu, job, 1, 1))->prepare(job)->at({});
  EXPECT_NEAR((forecast.time.high / forecast.time.value).si(), std::exp(0.2), 1e-9);
}

TEST(LearnedRegime, OperationsOutsideWhatWasLearnedGiveAWarningAndAWiderInterval) {
  const auto gpu = test::gpu_called("a30");
  const Job& job = job_of_subject({"vgg16", {8, Mode::inference, Precision::fp16}});
  Model known = learned(gpu, job, 1, 1), never = known, larger = known, smaller = known;
  never.range.erase({"conv", Mode::inference});
  larger.range[{"conv", Mode::inference}] = {1, 10, 5};
  smaller.range[{"conv", Mode::inference}] = {1e14, 1e15, 5};
  const auto width = [&](const Model& model) {
    const Forecast forecast = Predictor::with(gpu, model)->prepare(job)->at({});
    return std::log((forecast.time.high / forecast.time.value).si());
  };
  for (const auto& [model, word] : {std::pair{never, "no conv"}, {larger, "larger"}, {smaller, "smaller"}}) {
    const auto outlook = Predictor::with(gpu, model)->prepare(job).value();
    ASSERT_EQ(outlook.warnings().size(), 1U);
    EXPECT_NE(outlook.warnings()[0].find("conv"), std::string::npos);
    EXPECT_NE(outlook.warnings()[0].find(word), std::string::npos) << outlook.warnings()[0];
    EXPECT_GT(width(model), 1.5 * width(known));
  }
}

TEST(LearnedRegime, KeepsLimitsAndTheOrderOfClocksWhateverWasLearned) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const auto gpu = test::gpu_called(device);
    for (const Subject& subject : kSubjects) {
      const Job& job = job_of_subject(subject);
      for (const auto& [time, power] : {std::pair{0.5, 2.0}, {2.0, 0.5}, {1.0, 1.5}}) {
        Model model = learned(gpu, job, time, power);
        model.corrections.ceiling = gpu.limit.usual * 1.05;
        const auto outlook = Predictor::with(gpu, model)->prepare(job);
        if (!outlook) continue;
        Seconds last{1e9};
        for (const Hertz clock : test::clocks_of(gpu, 12)) {
          const Forecast forecast = outlook->at({clock, {}});
          ASSERT_LE(forecast.time.value, last * (1 + 1e-6)) << text_of(subject, device);
          ASSERT_TRUE(forecast.clock == gpu.core.least ||
                      forecast.power.value <= std::max(gpu.limit.usual, gpu.limit.holds_from) * (1 + 1e-9))
              << text_of(subject, device);
          last = forecast.time.value;
        }
        expect_adding_up(*outlook, {});
      }
    }
  }
}

TEST(Predictor, IsReadyForManyQuestionsAtOnce) {
  const Predictor predictor(test::gpu_called("a30"));
  const auto outlook = predictor.prepare(job_of_subject(kSubjects[0])).value();
  const Outlook copy = outlook;
  EXPECT_EQ(copy.at({}).time.value, outlook.at({}).time.value);
}

}  // namespace
}  // namespace ergon::predict
