#include <cmath>

#include <gtest/gtest.h>

#include "predict/estimate/measured_iterations.h"
#include "predict/learn/fit.h"
#include "predict/model/model_file.h"
#include "predict/predictor.h"
#include "predict/twin_widths.h"

namespace ergon::predict {
namespace {

using graph::Mode;

const WorkloadConfig kGpuBound{64, Mode::inference, device::Precision::tf32};
const WorkloadConfig kHostBound{1, Mode::inference, device::Precision::tf32};

TrainingData of(const device::Specification& gpu) {
  TrainingData data;
  data.device = gpu.name;
  return data;
}

// The twin's prediction with scaled time and power.
NetworkSample scaled_twin(const device::Specification& gpu, const std::string& network,
                          const WorkloadConfig& config, double time, double power,
                          std::optional<Hertz> clock = std::nullopt) {
  const Iteration iteration = test::iteration_named(network, config);
  const Prediction twin = Predictor(gpu).prepare(iteration)->predict({clock, {}});
  return {iteration, clock, twin.time.value * time, twin.power.value * power};
}

struct Ratios {
  double time = 0, power = 0;
};
Ratios ratio_to_twin(const Model& model, const device::Specification& gpu, const std::string& network,
                     const WorkloadConfig& config) {
  const Iteration iteration = test::iteration_named(network, config);
  const Prediction twin = Predictor(gpu).prepare(iteration)->predict({});
  const Prediction calibrated = Predictor::with(gpu, model).value().prepare(iteration)->predict({});
  return {(calibrated.time.value / twin.time.value).si(), (calibrated.power.value / twin.power.value).si()};
}

TEST(FitFew, CalibratesWithThreeRows) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16", "densenet121"})
    data.networks.push_back(scaled_twin(gpu, network, kGpuBound, 1.4, 0.85));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_EQ(fitted->model.source, PredictionSource::calibrated);
  EXPECT_TRUE(fitted->model.time.empty());
  for (const char* network : {"resnet50", "vgg16", "densenet121", "resnet101", "inception_v3"}) {
    const Ratios ratios = ratio_to_twin(fitted->model, gpu, network, kGpuBound);
    EXPECT_NEAR(ratios.time, 1.4, 0.05) << network;
    EXPECT_NEAR(ratios.power, 0.85, 0.03) << network;
  }
}

TEST(FitFew, RowsEqualToTheTwinChangeNothing) {
  const auto gpu = test::unlimited(test::gpu_named("h200"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16"})
    data.networks.push_back(scaled_twin(gpu, network, kGpuBound, 1, 1));
  for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
    data.networks.push_back(scaled_twin(gpu, network, kHostBound, 1, 1));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  for (const char* network : {"resnet50", "densenet121", "googlenet"}) {
    for (const WorkloadConfig& config : {kGpuBound, kHostBound}) {
      const Ratios ratios = ratio_to_twin(fitted->model, gpu, network, config);
      EXPECT_NEAR(ratios.time, 1, 0.02) << network << " at " << config.batch;
      EXPECT_NEAR(ratios.power, 1, 0.02) << network << " at " << config.batch;
    }
  }
}

TEST(FitFew, HostBoundNetworksCalibrateTheHost) {
  const auto gpu = test::unlimited(test::gpu_named("h200"));
  TrainingData data = of(gpu);
  for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
    data.networks.push_back(scaled_twin(gpu, network, kHostBound, 1.5, 1));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(ratio_to_twin(fitted->model, gpu, "googlenet", kHostBound).time, 1.5, 0.05);
  EXPECT_NEAR(ratio_to_twin(fitted->model, gpu, "vgg16", kGpuBound).time, 1, 0.05);
}

TEST(FitFew, HostBoundNetworksCalibratePower) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const auto gpu = test::unlimited(test::gpu_named(device));
    for (const double power : {0.85, 1.0, 1.15}) {
      TrainingData data = of(gpu);
      for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
        data.networks.push_back(scaled_twin(gpu, network, kHostBound, 1, power));
      const auto fitted = fit_few(data, gpu);
      ASSERT_TRUE(fitted);
      for (const char* network : {"densenet121", "mobilenet_v2", "resnet18"})
        EXPECT_NEAR(ratio_to_twin(fitted->model, gpu, network, kHostBound).power, power, 0.06)
            << network << " on " << device;
    }
  }
}

TEST(FitFew, UsesTheClockOfTheRows) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16", "densenet121"})
    data.networks.push_back(scaled_twin(gpu, network, kGpuBound, 1, 1, gpu.core.min * 3));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  const Ratios ratios = ratio_to_twin(fitted->model, gpu, "resnet101", kGpuBound);
  EXPECT_NEAR(ratios.time, 1, 0.02);
  EXPECT_NEAR(ratios.power, 1, 0.02);
}

TEST(FitFew, ARowWithoutPowerCalibratesTimeOnly) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  data.networks.push_back(scaled_twin(gpu, "resnet50", kGpuBound, 1.2, 1));
  data.networks[0].power.reset();
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  const Ratios ratios = ratio_to_twin(fitted->model, gpu, "resnet50", kGpuBound);
  EXPECT_GT(ratios.time, 1.08);
  EXPECT_LT(ratios.time, 1.21);
  EXPECT_NEAR(ratios.power, 1, 1e-6);
}

TEST(FitFew, OperationsCalibrateKernelTime) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  test::measure_operations(data, test::iteration_named("vgg16", kGpuBound), gpu,
                           [](const Task&) { return 1.3; });
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(ratio_to_twin(fitted->model, gpu, "resnet50", kGpuBound).time, 1.3, 0.02);
}

TEST(FitFew, IntervalsCoverTheRowsAndHaveAMinimumWidth) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  data.networks.push_back(scaled_twin(gpu, "resnet50", kGpuBound, 1.3, 0.9));
  data.networks.push_back(scaled_twin(gpu, "vgg16", kGpuBound, 0.9, 1.0));
  data.networks.push_back(scaled_twin(gpu, "densenet121", kGpuBound, 1.1, 1.1));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->held_out.size(), 3U);
  for (const HeldOutNetwork& each : fitted->held_out) {
    EXPECT_LE(std::abs(std::log1p(each.time_error())), each.widths.time);
    EXPECT_LE(std::abs(std::log1p(each.power_error())), each.widths.power);
  }
  for (const IntervalWidths& widths : {fitted->model.widths_of(LaunchHost::python, false, 0),
                                       fitted->model.widths_of(LaunchHost::python, true, 0)}) {
    EXPECT_GE(widths.time, 0.1);
    EXPECT_GE(widths.power, 0.1);
    EXPECT_GE(widths.energy, 0.1);
  }
}

// Four rows of one kind: GPU-bound inference in tf32, which a V100 computes in fp32.
TEST(FitFew, RowsOfOneKindDoNotNarrowTheIntervalsOfOthers) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "vgg16", "densenet121", "resnet101"})
    data.networks.push_back(scaled_twin(gpu, network, kGpuBound, 1.02, 0.99));
  const Model model = fit_few(data, gpu).value().model;
  const auto width = [&](const WorkloadConfig& config, bool host_bound) {
    return calibrated_widths(model, gpu, config, host_bound).time;
  };
  using device::Precision;
  EXPECT_EQ(width(kGpuBound, false), kMinNetworkWidth);
  EXPECT_EQ(width({64, Mode::inference, Precision::fp32}, false), kMinNetworkWidth);
  EXPECT_EQ(width({64, Mode::inference, Precision::fp16}, false), kUnvalidatedWidth);
  EXPECT_EQ(width({64, Mode::training, Precision::tf32}, false), kUnvalidatedWidth);
  EXPECT_EQ(width(kHostBound, true), kUnvalidatedWidth);
  EXPECT_EQ(calibrated_width_warning(model, gpu, kGpuBound), std::nullopt);
  EXPECT_EQ(
      calibrated_width_warning(model, gpu, {64, Mode::training, Precision::fp16}),
      "the model was not calibrated with networks in fp16 training; the interval is a default, -30 to +42 %");
}

// A V100's twin was validated by training in fp32.
TEST(FitFew, RowsThatAgreeDoNotWidenAValidatedTwin) {
  const auto gpu = test::gpu_named("v100");
  const WorkloadConfig training{64, Mode::training, device::Precision::tf32};
  TrainingData data = of(gpu);
  for (const char* network : {"resnet50", "resnet34", "densenet121", "resnet101"})
    data.networks.push_back(scaled_twin(gpu, network, training, 1, 1));
  const Model model = fit_few(data, gpu).value().model;
  for (const bool host_bound : {false, true}) {
    const IntervalWidths few = calibrated_widths(model, gpu, training, host_bound),
                         twin = twin_widths(gpu, training, host_bound);
    EXPECT_LE(few.time, twin.time) << host_bound;
    EXPECT_LE(few.power, twin.power) << host_bound;
    EXPECT_LE(few.energy, twin.energy) << host_bound;
  }
}

TEST(FitFew, OperationsAloneDoNotNarrowTheInterval) {
  const auto gpu = test::unlimited(test::gpu_named("v100"));
  TrainingData data = of(gpu);
  test::measure_operations(data, test::iteration_named("vgg16", kGpuBound), gpu,
                           [](const Task&) { return 1.3; });
  const Model model = fit_few(data, gpu).value().model;
  EXPECT_EQ(calibrated_widths(model, gpu, kGpuBound, false).time, kUnvalidatedWidth);
}

TEST(FitFew, TheModelSurvivesARoundTrip) {
  const auto gpu = test::gpu_named("v100");
  TrainingData data = of(gpu);
  data.sources = {{"three.csv", "", 0, 3}};
  data.networks.push_back(scaled_twin(gpu, "resnet50", kGpuBound, 1.3, 0.9));
  const auto fitted = fit_few(data, gpu);
  ASSERT_TRUE(fitted);
  const auto again = read_model(write_model(fitted->model), "few.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->corrections.by_config, fitted->model.corrections.by_config);
  EXPECT_EQ(again->training_sources.at(0).name, "three.csv");
}

TEST(FitFew, NoRowsAndRowsOfAnotherDeviceAreErrors) {
  const auto gpu = test::gpu_named("v100");
  const auto none = fit_few(of(gpu), gpu);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no rows of v100"), std::string::npos) << none.error().message;
  TrainingData other = of(gpu);
  other.networks.push_back(scaled_twin(gpu, "resnet50", kGpuBound, 1, 1));
  other.device = "a30";
  const auto refused = fit_few(other, gpu);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("a30"), std::string::npos);
}

}  // namespace
}  // namespace ergon::predict
