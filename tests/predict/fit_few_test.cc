#include <cmath>

#include <gtest/gtest.h>

#include "predict/fit.h"
#include "predict/measured_jobs.h"
#include "predict/model_file.h"
#include "predict/predictor.h"

namespace ergon::predict {
namespace {

using graph::Mode;

const Condition kBusy{64, Mode::inference, device::Precision::tf32};
const Condition kWaiting{1, Mode::inference, device::Precision::tf32};

TrainingData of(const device::Specification& gpu) {
  TrainingData data;
  data.device = gpu.name;
  return data;
}

// The twin's own answer, so many times as long and as hot.
NetworkSample like_the_twin(const device::Specification& gpu, const std::string& network,
                            const Condition& condition, double time, double power,
                            std::optional<Hertz> clock = std::nullopt) {
  const Job job = test::job_called(network, condition);
  const Forecast twin = Predictor(gpu).prepare(job)->at({clock, {}});
  return {job, clock, twin.time.value * time, twin.power.value * power};
}

struct Ratios {
  double time = 0, power = 0;
};
Ratios against_the_twin(const Model& model, const device::Specification& gpu, const std::string& network,
                        const Condition& condition) {
  const Job job = test::job_called(network, condition);
  const Forecast twin = Predictor(gpu).prepare(job)->at({});
  const Forecast moved = Predictor::with(gpu, model).value().prepare(job)->at({});
  return {(moved.time.value / twin.time.value).si(), (moved.power.value / twin.power.value).si()};
}

TEST(FitFew, ThreeRowsMoveTheTwinToThem) {
  const auto gpu = test::unlimited(test::gpu_called("v100"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16", "densenet121"})
    data.networks.push_back(like_the_twin(gpu, network, kBusy, 1.4, 0.85));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_EQ(fitted->model.regime, Regime::calibrated);
  EXPECT_TRUE(fitted->model.time.empty());
  for (const char* network : {"resnet50", "vgg16", "densenet121", "resnet101", "inception_v3"}) {
    const Ratios ratios = against_the_twin(fitted->model, gpu, network, kBusy);
    EXPECT_NEAR(ratios.time, 1.4, 0.05) << network;
    EXPECT_NEAR(ratios.power, 0.85, 0.03) << network;
  }
}

TEST(FitFew, RowsThatAgreeWithTheTwinChangeNothing) {
  const auto gpu = test::unlimited(test::gpu_called("h200"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16"})
    data.networks.push_back(like_the_twin(gpu, network, kBusy, 1, 1));
  for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
    data.networks.push_back(like_the_twin(gpu, network, kWaiting, 1, 1));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  for (const char* network : {"resnet50", "densenet121", "googlenet"}) {
    for (const Condition& condition : {kBusy, kWaiting}) {
      const Ratios ratios = against_the_twin(fitted->model, gpu, network, condition);
      EXPECT_NEAR(ratios.time, 1, 0.02) << network << " at " << condition.batch;
      EXPECT_NEAR(ratios.power, 1, 0.02) << network << " at " << condition.batch;
    }
  }
}

TEST(FitFew, NetworksThatWaitTellOfTheHost) {
  const auto gpu = test::unlimited(test::gpu_called("h200"));
  TrainingData data = of(gpu);
  for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
    data.networks.push_back(like_the_twin(gpu, network, kWaiting, 1.5, 1));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(against_the_twin(fitted->model, gpu, "googlenet", kWaiting).time, 1.5, 0.05);
  EXPECT_NEAR(against_the_twin(fitted->model, gpu, "vgg16", kBusy).time, 1, 0.05);
}

TEST(FitFew, PowerOfNetworksThatWaitIsThatOfTheirRows) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const auto gpu = test::unlimited(test::gpu_called(device));
    for (const double power : {0.85, 1.0, 1.15}) {
      TrainingData data = of(gpu);
      for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
        data.networks.push_back(like_the_twin(gpu, network, kWaiting, 1, power));
      const auto fitted = fit_few(data, gpu);
      ASSERT_TRUE(fitted);
      for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
        EXPECT_NEAR(against_the_twin(fitted->model, gpu, network, kWaiting).power, power, 0.06)
            << network << " on " << device;
    }
  }
}

TEST(FitFew, RowsAtALowerClockCountAtThatClock) {
  const auto gpu = test::unlimited(test::gpu_called("v100"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16", "densenet121"})
    data.networks.push_back(like_the_twin(gpu, network, kBusy, 1, 1, gpu.core.least * 3));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  const Ratios ratios = against_the_twin(fitted->model, gpu, "resnet101", kBusy);
  EXPECT_NEAR(ratios.time, 1, 0.02);
  EXPECT_NEAR(ratios.power, 1, 0.02);
}

TEST(FitFew, OneRowOfTimeMovesTimeAlone) {
  const auto gpu = test::unlimited(test::gpu_called("v100"));
  TrainingData data = of(gpu);
  data.networks.push_back(like_the_twin(gpu, "resnet50", kBusy, 1.2, 1));
  data.networks[0].power.reset();
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  const Ratios ratios = against_the_twin(fitted->model, gpu, "resnet50", kBusy);
  EXPECT_GT(ratios.time, 1.08);
  EXPECT_LT(ratios.time, 1.21);
  EXPECT_NEAR(ratios.power, 1, 1e-6);
}

TEST(FitFew, OperationsByThemselvesTellHowFastKernelsAre) {
  const auto gpu = test::unlimited(test::gpu_called("v100"));
  TrainingData data = of(gpu);
  test::measure_operations(data, test::job_called("vgg16", kBusy), gpu, [](const Task&) { return 1.3; });
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(against_the_twin(fitted->model, gpu, "resnet50", kBusy).time, 1.3, 0.02);
}

TEST(FitFew, IntervalsHoldTheRowsAndAreNeverNarrow) {
  const auto gpu = test::unlimited(test::gpu_called("v100"));
  TrainingData data = of(gpu);
  data.networks.push_back(like_the_twin(gpu, "resnet50", kBusy, 1.3, 0.9));
  data.networks.push_back(like_the_twin(gpu, "vgg16", kBusy, 0.9, 1.0));
  data.networks.push_back(like_the_twin(gpu, "densenet121", kBusy, 1.1, 1.1));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->held_back.size(), 3U);
  for (const HeldBack& each : fitted->held_back) {
    EXPECT_LE(std::abs(std::log1p(each.time_error())), each.widths.time);
    EXPECT_LE(std::abs(std::log1p(each.power_error())), each.widths.power);
  }
  for (const Widths& widths :
       {fitted->model.widths_of(Host::python, false, 0), fitted->model.widths_of(Host::python, true, 0)}) {
    EXPECT_GE(widths.time, 0.1);
    EXPECT_GE(widths.power, 0.1);
    EXPECT_GE(widths.energy, 0.1);
  }
}

TEST(FitFew, TheModelComesBackFromItsFile) {
  const auto gpu = test::gpu_called("v100");
  TrainingData data = of(gpu);
  data.sources = {{"three.csv", "", 0, 3}};
  data.networks.push_back(like_the_twin(gpu, "resnet50", kBusy, 1.3, 0.9));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  const auto again = read_model(write_model(fitted->model), "few.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->corrections.kinds, fitted->model.corrections.kinds);
  EXPECT_EQ(again->sources.at(0).name, "three.csv");
}

TEST(FitFew, NoRowsAndRowsOfAnotherDeviceAreErrors) {
  const auto gpu = test::gpu_called("v100");
  const auto none = fit_few(of(gpu), gpu);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no rows of v100"), std::string::npos) << none.error().message;
  TrainingData other = of(gpu);
  other.networks.push_back(like_the_twin(gpu, "resnet50", kBusy, 1, 1));
  other.device = "a30";
  const auto refused = fit_few(other, gpu);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("a30"), std::string::npos);
}

}  // namespace
}  // namespace ergon::predict
