#include "predict/twin_widths.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "predict/estimate/some_iterations.h"
#include "predict/learn/fit.h"
#include "predict/predictor.h"
#include "predict/sanity.h"

namespace ergon::predict {
namespace {

using graph::Mode;

const WorkloadConfig kConfig{32, Mode::inference, device::Precision::tf32};

// Only errors on whole networks of the same kind narrow the interval of a network. Tables of other programs
// have no energies.
TEST(TwinWidths, ComeFromTablesOfNetworksOfTheSameKind) {
  for (const std::string& name : device::device_names()) {
    const auto gpu = test::gpu_named(name);
    for (const Mode mode : graph::kModes) {
      for (const bool host_bound : {false, true}) {
        const device::RunKind kind{mode, device::Precision::tf32, host_bound};
        const bool validated =
            std::any_of(gpu.residuals.begin(), gpu.residuals.end(), [&](const device::TableResidual& each) {
              return each.quantity == "time" && each.kinds_held_out.contains(kind);
            });
        const WorkloadConfig config{32, mode, device::Precision::tf32};
        EXPECT_EQ(twin_widths(gpu, config, host_bound).time < 0.35, validated) << name;
        EXPECT_EQ(twin_width_warning(gpu, config, host_bound).has_value(), !validated) << name;
      }
    }
  }
}

// All networks of these tables are ResNet-50 in training without half precision, at batches that keep the GPU
// busy.
TEST(TwinWidths, OfOneMeasuredKindAreDefaultsForAllOthers) {
  using device::Precision;
  for (const char* name : {"v100", "p100"}) {
    const auto gpu = test::gpu_named(name);
    for (const Precision precision : {Precision::tf32, Precision::fp32}) {
      const WorkloadConfig measured{64, Mode::training, precision};
      EXPECT_LT(twin_widths(gpu, measured, false).time, 0.2) << name << ": both are computed in fp32";
      EXPECT_EQ(twin_width_warning(gpu, measured, false), std::nullopt) << name;
    }
    const WorkloadConfig half{64, Mode::training, Precision::fp16},
        inference{64, Mode::inference, Precision::tf32}, measured{1, Mode::training, Precision::tf32};
    for (const auto& [config, host_bound] :
         {std::pair{half, false}, std::pair{inference, false}, std::pair{measured, true}}) {
      EXPECT_EQ(twin_widths(gpu, config, host_bound).time, kUnvalidatedWidth) << name;
      EXPECT_EQ(twin_widths(gpu, config, host_bound).energy, kUnvalidatedWidth) << name;
      EXPECT_TRUE(twin_width_warning(gpu, config, host_bound)) << name;
    }
    EXPECT_EQ(
        twin_width_warning(gpu, half, false),
        "the time of networks in fp16 training was not measured on this device; the interval is a default, "
        "-30 to +42 %");
    EXPECT_TRUE(twin_width_warning(gpu, inference, false)
                    ->starts_with("the time of networks in inference was not measured on this device;"));
    EXPECT_TRUE(twin_width_warning(gpu, measured, true)
                    ->starts_with(
                        "the time of host-bound networks in tf32 training was not measured on this device;"));
  }
}

TEST(TwinWidths, AnA100IsNotValidatedByApplications) {
  const auto gpu = test::gpu_named("a100-sxm-80");
  EXPECT_FALSE(gpu.residuals.empty());
  EXPECT_NEAR(std::exp(twin_widths(gpu, kConfig, false).time), 1.42, 0.01);
}

TEST(TwinWidths, AreDefaultsForAnEditedDevice) {
  auto gpu = test::gpu_named("a30");
  EXPECT_LT(twin_widths(gpu, kConfig, false).time, 0.35);
  gpu.residuals.clear();
  gpu.changed_after_calibration = true;
  EXPECT_EQ(twin_widths(gpu, kConfig, false).time, 0.35);
  EXPECT_NE(twin_width_warning(gpu, kConfig, false)->find("changed after its calibration"),
            std::string::npos);
}

// Evidence narrows: three measured networks do not make an interval wider than none.
TEST(TwinWidths, AreNotNarrowerThanThoseOfThreeRowsThatAgree) {
  const auto gpu = test::gpu_named("a100-sxm-80");
  TrainingData data;
  data.device = gpu.name;
  for (const char* network : {"resnet50", "vgg16", "densenet121"}) {
    const Iteration iteration = test::iteration_named(network, kConfig);
    const Prediction twin = Predictor(gpu).prepare(iteration)->predict({});
    data.networks.push_back({iteration, {}, twin.time.value * 1.2, twin.power.value * 0.9});
  }
  const auto fitted = fit_few(data, gpu).value();
  const auto width_of = [&](const Predictor& predictor) {
    const auto predicted = predictor.prepare(test::iteration_named("resnet101", kConfig))->predict({}).time;
    return std::log((predicted.high / predicted.low).si());
  };
  EXPECT_LE(width_of(Predictor::with(gpu, fitted.model).value()), width_of(Predictor(gpu)));
}

// Half width of the time of a prediction, and whether it is a default.
std::pair<double, bool> width_of(const Predictor& predictor, const std::string& network,
                                 const WorkloadConfig& config) {
  const auto prepared = predictor.prepare(test::iteration_named(network, config)).value();
  const auto time = prepared.predict({}).time;
  const auto& warnings = prepared.warnings();
  return {std::log((time.high / time.value).si()),
          std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
            return warning.find("the interval is a default") != std::string::npos;
          })};
}

TEST(TwinWidths, OfAPredictionAreThoseOfItsKind) {
  const auto gpu = test::gpu_named("v100");
  const WorkloadConfig training{64, Mode::training, device::Precision::tf32};
  const auto measured = width_of(Predictor(gpu), "resnet50", training);
  EXPECT_LT(measured.first, 0.2);
  EXPECT_FALSE(measured.second);
  for (const WorkloadConfig& config : {WorkloadConfig{1, Mode::inference, device::Precision::fp16},
                                       {64, Mode::training, device::Precision::fp16},
                                       {1, Mode::training, device::Precision::tf32}}) {
    const auto other = width_of(Predictor(gpu), "resnet50", config);
    EXPECT_NEAR(other.first, kUnvalidatedWidth, 1e-9);
    EXPECT_TRUE(other.second);
  }
}

TEST(TwinWidths, OfACalibratedPredictionAreThoseOfItsKind) {
  const auto gpu = test::gpu_named("v100");
  TrainingData data;
  data.device = gpu.name;
  for (const char* network : {"resnet50", "vgg16", "densenet121", "resnet101"}) {
    const Iteration iteration = test::iteration_named(network, kConfig);
    const Prediction twin = Predictor(gpu).prepare(iteration)->predict({});
    data.networks.push_back({iteration, {}, twin.time.value, twin.power.value});
  }
  const Predictor few = Predictor::with(gpu, fit_few(data, gpu).value().model).value();
  const auto like = width_of(few, "resnet34", kConfig);
  EXPECT_LT(like.first, 0.2);
  EXPECT_FALSE(like.second);
  const auto half = width_of(few, "resnet34", {32, Mode::inference, device::Precision::fp16});
  EXPECT_GE(half.first, kUnvalidatedWidth - 1e-9);
  EXPECT_TRUE(half.second);
}

TEST(PredictedPower, IsWithinTheLimitAndAboveIdle) {
  for (const std::string& name : device::device_names()) {
    const auto gpu = test::gpu_named(name);
    const Predictor predictor(gpu);
    for (const std::int64_t batch : {1, 64}) {
      const auto prepared = predictor.prepare(
          test::iteration_named("vgg16", {batch, Mode::inference, device::Precision::fp32}));
      ASSERT_TRUE(prepared) << name;
      for (const double share : {0.7, 1.0}) {
        const Watts limit = std::max(gpu.limit.min, gpu.limit.default_limit * share);
        const Prediction prediction = prepared->predict({{}, limit});
        if (prediction.limit_held) {
          EXPECT_LE(prediction.power.high, limit) << name;
        }
        EXPECT_GE(prediction.power.low, std::min(gpu.power.bare, prediction.power.value)) << name;
        EXPECT_LE(prediction.energy.high.si(),
                  (prediction.power.high * prediction.time.high).si() * (1 + 1e-9))
            << name;
        EXPECT_TRUE(check_sanity(prediction, gpu, limit));
        EXPECT_TRUE(prepared->check({{}, limit})) << name;
      }
    }
  }
}

TEST(PredictionSanity, FindsDefects) {
  const auto gpu = test::gpu_named("a30");
  const Prediction good = Predictor(gpu).prepare(test::iteration_named("resnet18", kConfig))->predict({});
  const Watts limit = gpu.limit.default_limit;
  EXPECT_TRUE(check_sanity(good, gpu, limit));
  const auto defect = [&](auto change) {
    Prediction bad = good;
    change(bad);
    const auto checked = check_sanity(bad, gpu, limit);
    return !checked && checked.error().kind == Errc::internal;
  };
  EXPECT_TRUE(defect([](Prediction& p) { p.time.value = Seconds{NAN}; }));
  EXPECT_TRUE(defect([](Prediction& p) { p.time.high = Seconds{INFINITY}; }));
  EXPECT_TRUE(defect([](Prediction& p) { p.energy.value = Joules{-1}; }));
  EXPECT_TRUE(defect([](Prediction& p) { p.energy.low = p.energy.value * 2; }));
  EXPECT_TRUE(defect([](Prediction& p) { p.energy.value = p.energy.value * 1.1; }));
  EXPECT_TRUE(defect([&](Prediction& p) { p.power.high = limit * 1.1; }));
}

TEST(Predictor, RejectsANetworkOfViews) {
  graph::Builder b("onnx", "view");
  const auto x = b.input("x", "Input", graph::Shape::batch_of({8, 8}));
  const auto network =
      b.finish({b.add("y", "Reshape", graph::Reshape{graph::Shape::batch_of({64})}, {x})}).value();
  const auto prepared = Predictor(test::gpu_named("a30")).prepare(network, kConfig);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().kind, Errc::invalid_input);
}

TEST(Model, OfOtherParametersIsRejected) {
  const auto gpu = test::gpu_named("a30");
  Model model;
  model.device = "a30";
  model.device_parameters = "0123456789abcdef";
  const auto predictor = Predictor::with(gpu, model);
  ASSERT_FALSE(predictor);
  EXPECT_NE(predictor.error().message.find("other parameters"), std::string::npos);
}

// Eight operators of GELU are eight launches, in a network by name as in its exported file.
TEST(TwinPrediction, UnfusedGeluIsLaunchedEightTimes) {
  const auto gpu = test::gpu_named("a100-sxm-80");
  const WorkloadConfig one{1, Mode::inference, device::Precision::tf32, LaunchHost::transformers};
  const Iteration iteration = test::iteration_named("gpt2", one);
  double launches = 0;
  for (const Task& task : iteration.tasks) launches += task.launches * task.count;
  const auto tasks =
      static_cast<double>(std::accumulate(iteration.tasks.begin(), iteration.tasks.end(), 0.0,
                                          [](double sum, const Task& t) { return sum + t.count; }));
  EXPECT_EQ(launches, tasks + 12 * 7);
  const Prediction prediction = Predictor(gpu).prepare(iteration)->predict({});
  ASSERT_TRUE(prediction.host_bound);
  EXPECT_NEAR(prediction.time.value.si(), gpu.host.inference.si() * launches,
              0.05 * prediction.time.value.si());
}

}  // namespace
}  // namespace ergon::predict
