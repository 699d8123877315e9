#include "predict/learn/fit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "predict/estimate/measured_iterations.h"
#include "predict/learn/plain_learner.h"
#include "predict/model/model_file.h"
#include "predict/predictor.h"
#include "predict/xgboost/xgboost_learner.h"

namespace ergon::predict {
namespace {

using graph::Mode;

const WorkloadConfig kTraining{16, Mode::training, device::Precision::tf32};

const std::vector<std::string> kTrainingNetworks{"resnet18",     "resnet34",      "vgg11_bn",
                                                 "mobilenet_v2", "squeezenet1_1", "densenet121"};

TrainingData measured(const std::vector<std::string>& networks, const std::vector<WorkloadConfig>& configs,
                      const test::Distortion& distortion, bool with_networks = true) {
  const auto gpu = test::roomy();
  TrainingData data;
  data.device = gpu.name;
  data.sources = {{"synthetic", "physics", 0, 0}};
  for (const std::string& name : networks) {
    for (const WorkloadConfig& config : configs) {
      const Iteration iteration = test::iteration_named(name, config);
      test::measure_operations(data, iteration, gpu, distortion);
      if (with_networks) data.networks.push_back(test::measured_network(iteration, gpu, distortion));
    }
  }
  return data;
}

FitOptions quick() {
  FitOptions options;
  options.folds = 3;
  options.threads = 1;
  return options;
}

Prediction prediction_of(const Model& model, const Iteration& iteration) {
  return Predictor::with(test::roomy(), model).value().prepare(iteration).value().predict({});
}

// Relative error of a prediction for a network outside the training data.
struct RelativeError {
  double time = 0, power = 0;
};
RelativeError error_of(const Model& model, const std::string& network, const WorkloadConfig& config,
                       const test::Distortion& distortion) {
  const Iteration iteration = test::iteration_named(network, config);
  const NetworkSample truth = test::measured_network(iteration, test::roomy(), distortion);
  const Prediction prediction = prediction_of(model, iteration);
  return {(prediction.time.value / truth.time).si() - 1, (prediction.power.value / *truth.power).si() - 1};
}

TEST(Fit, LearnsSlowConvolutionsAndPredictsOtherNetworks) {
  const auto fitted = fit(measured(kTrainingNetworks, {test::kInference}, test::slow_convolutions),
                          test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  for (const char* network : {"resnet50", "googlenet", "vgg16", "mobilenet_v3_large"}) {
    const RelativeError learned = error_of(fitted->model, network, test::kInference, test::slow_convolutions);
    EXPECT_NEAR(learned.time, 0, 0.03) << network;
    EXPECT_NEAR(learned.power, 0, 0.04) << network;
  }
  // The twin has no such factor.
  const Iteration iteration = test::iteration_named("vgg16", test::kInference);
  const auto twin = Predictor(test::roomy()).prepare(iteration)->predict({});
  EXPECT_GT(
      (test::measured_network(iteration, test::roomy(), test::slow_convolutions).time / twin.time.value).si(),
      1.3);
}

TEST(Fit, LearnsTrainingAndInference) {
  const auto distortion = [](const Task& task) { return task.backward.empty() ? 0.8 : 1.4; };
  const auto fitted = fit(measured({"resnet18", "vgg11_bn", "squeezenet1_1", "mobilenet_v2"},
                                   {test::kInference, kTraining}, distortion),
                          test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  for (const WorkloadConfig& config : {test::kInference, kTraining})
    EXPECT_NEAR(error_of(fitted->model, "resnet50", config, distortion).time, 0, 0.04);
}

TEST(Fit, WorksWithXgboost) {
  const XgboostLearner learner;
  if (learner.name() == "none") GTEST_SKIP() << "this build has no XGBoost";
  const auto fitted = fit(measured(kTrainingNetworks, {test::kInference}, test::slow_convolutions, false),
                          test::roomy(), learner, quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_EQ(fitted->model.learner, "XGBoost");
  for (const char* network : {"resnet50", "googlenet"})
    EXPECT_NEAR(error_of(fitted->model, network, test::kInference, test::slow_convolutions).time, 0, 0.05)
        << network;
}

TEST(Fit, WorksWithoutNetworks) {
  const auto data = measured(kTrainingNetworks, {test::kInference}, test::slow_convolutions, false);
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_TRUE(fitted->held_out.empty());
  EXPECT_TRUE(fitted->model.scores.empty());
  EXPECT_TRUE(fitted->model.corrections.by_config.empty());
  EXPECT_NEAR(error_of(fitted->model, "resnet50", test::kInference, test::slow_convolutions).time, 0, 0.03);
}

TEST(Fit, StoresTrainingDataAndAccuracy) {
  const auto data =
      measured({"resnet18", "vgg11_bn", "squeezenet1_1"}, {test::kInference}, test::slow_convolutions);
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted);
  const Model& model = fitted->model;
  EXPECT_EQ(model.device, "a30");
  EXPECT_EQ(model.source, PredictionSource::learned);
  EXPECT_EQ(model.learner, "plain");
  ASSERT_EQ(model.training_sources.size(), 1U);
  EXPECT_EQ(model.training_sources[0].name, "synthetic");
  EXPECT_TRUE(model.range.contains({"conv", Mode::inference}));
  EXPECT_EQ(fitted->held_out.size(), data.networks.size());
  std::set<std::string> scores;
  for (const Score& score : model.scores) scores.insert(score.what);
  for (const char* what :
       {"networks, inference, time", "networks, inference, power", "networks, inference, energy"})
    EXPECT_TRUE(scores.contains(what)) << what;
  for (const HeldOutNetwork& each : fitted->held_out) EXPECT_NEAR(each.time_error(), 0, 0.05) << each.network;
  EXPECT_TRUE(read_model(write_model(model), "model"));
}

TEST(Fit, IsDeterministic) {
  const auto data =
      measured({"resnet18", "vgg11_bn", "squeezenet1_1"}, {test::kInference}, test::slow_convolutions);
  FitOptions threads = quick();
  threads.threads = 2;
  const auto one = fit(data, test::roomy(), test::PlainLearner(), quick());
  const auto two = fit(data, test::roomy(), test::PlainLearner(), threads);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(write_model(one->model), write_model(two->model));
}

// The operations that only AlexNet has take three times as long.
Result<FitResult> fitted_with_slow_alexnet() {
  auto data = measured(kTrainingNetworks, {test::kInference}, test::undistorted);
  const Iteration alexnet = test::iteration_named("alexnet", test::kInference);
  std::set<std::string> shared;
  for (const OperationSample& each : data.operations) shared.insert(each.task.id);
  const auto distortion = [&](const Task& task) { return shared.contains(task.id) ? 1.0 : 3.0; };
  test::measure_operations(data, alexnet, test::roomy(), distortion);
  data.networks.push_back(test::measured_network(alexnet, test::roomy(), distortion));
  FitOptions options = quick();
  options.folds = 7;
  return fit(data, test::roomy(), test::PlainLearner(12), options);
}

TEST(Fit, HoldsOutNetworksWithTheOperationsThatOnlyTheyHave) {
  const auto fitted = fitted_with_slow_alexnet();
  ASSERT_TRUE(fitted);
  const HeldOutNetwork& alexnet = fitted->held_out.back();
  ASSERT_EQ(alexnet.network, "alexnet");
  EXPECT_LT(alexnet.time_error(), -0.3) << "its own operations were held out";
  const Prediction with_them =
      prediction_of(fitted->model, test::iteration_named("alexnet", test::kInference));
  EXPECT_GT((with_them.time.value / alexnet.predicted).si(), 1.3) << "the final model has them";
}

// Records the number of training rows of every fit.
class CountingLearner : public Learner {
 public:
  Result<Forest> grow(const Examples& examples, const TreeParameters& parameters) const override {
    row_counts.push_back(examples.rows());
    return test::PlainLearner().grow(examples, parameters);
  }
  std::string_view name() const override { return "counting"; }
  mutable std::vector<std::size_t> row_counts;
};

// Operations are held out at all batches, even if the network was measured at another batch.
TEST(Fit, HoldsOutOperationsAtAllBatches) {
  auto data = measured(kTrainingNetworks, {test::kInference}, test::undistorted);
  std::set<std::string> others;
  for (const OperationSample& each : data.operations) others.insert(each.group);
  const std::size_t before = data.operations.size();
  data.networks.push_back(test::measured_network(test::iteration_named("alexnet", test::kInference),
                                                 test::roomy(), test::undistorted));
  test::measure_operations(data,
                           test::iteration_named("alexnet", {64, Mode::inference, device::Precision::tf32}),
                           test::roomy(), test::undistorted);
  const auto own = static_cast<std::size_t>(
      std::count_if(data.operations.begin() + static_cast<std::ptrdiff_t>(before), data.operations.end(),
                    [&](const OperationSample& each) { return !others.contains(each.group); }));
  ASSERT_GT(own, 5U);
  FitOptions options = quick();
  options.folds = 7;
  const CountingLearner learner;
  ASSERT_TRUE(fit(data, test::roomy(), learner, options));
  const std::size_t all = data.operations.size();
  EXPECT_NE(std::find(learner.row_counts.begin(), learner.row_counts.end(), all - own),
            learner.row_counts.end());
  EXPECT_EQ(learner.row_counts.back(), all) << "the last fit has all rows";
}

// The same network held out alone, with its operations measured.
TEST(Fit, PredictsNetworksWithMeasuredOperationsBetter) {
  const auto fitted = fitted_with_slow_alexnet();
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->with_measured_operations.size(), fitted->held_out.size());
  const HeldOutNetwork& measured = fitted->with_measured_operations.back();
  ASSERT_EQ(measured.network, "alexnet");
  EXPECT_LT(std::abs(measured.time_error()), 0.1);
  const auto is_measured = [](const Score& score) { return score.what.starts_with(kWithMeasuredOperations); };
  EXPECT_TRUE(std::any_of(fitted->model.scores.begin(), fitted->model.scores.end(), is_measured));
}

TEST(Fit, StoresTheMeasuredOperations) {
  const auto data = measured(kTrainingNetworks, {test::kInference}, test::undistorted);
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted);
  const auto predictor = Predictor::with(test::roomy(), fitted->model).value();
  const auto share = [&](const char* network, const WorkloadConfig& config) {
    return predictor.prepare(test::iteration_named(network, config))->measured_share();
  };
  EXPECT_NEAR(share("resnet18", test::kInference), 1, 1e-9);
  EXPECT_GT(share("resnet50", test::kInference), 0.05) << "shares its first layers with others";
  EXPECT_LT(share("resnet50", test::kInference), 0.9);
  EXPECT_EQ(share("resnet18", kTraining), 0);
  EXPECT_EQ(Predictor(test::roomy()).prepare(test::iteration_named("resnet18", kTraining))->measured_share(),
            0);
}

TEST(Fit, ReportsProgress) {
  FitOptions options = quick();
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t of) {
    EXPECT_GT(done, last);
    EXPECT_LE(done, of);
    last = done;
  };
  ASSERT_TRUE(fit(measured({"resnet18", "vgg11_bn"}, {test::kInference}, test::undistorted), test::roomy(),
                  test::PlainLearner(), options));
  EXPECT_GT(last, 0U);
}

TEST(Fit, RejectsRowsOfAnotherDevice) {
  auto data = measured({"resnet18"}, {test::kInference}, test::undistorted);
  data.device = "h200";
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().message.find("h200"), std::string::npos);
  EXPECT_NE(fitted.error().message.find("a30"), std::string::npos);
}

TEST(Fit, RejectsTooFewRows) {
  TrainingData none;
  none.device = "a30";
  const auto nothing = fit(none, test::roomy(), test::PlainLearner(), quick());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, Errc::invalid_input);
  const XgboostLearner learner;
  if (learner.name() == "none") return;
  auto few = measured({"resnet18"}, {test::kInference}, test::undistorted, false);
  few.operations.resize(5);
  const auto fitted = fit(few, test::roomy(), learner, quick());
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().message.find("too few"), std::string::npos) << fitted.error().message;
}

TEST(Fit, StopsWhenRequested) {
  std::stop_source source;
  FitOptions options = quick();
  options.stop = source.get_token();
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t) {
    last = done;
    source.request_stop();
  };
  const auto fitted = fit(measured(kTrainingNetworks, {test::kInference}, test::undistorted), test::roomy(),
                          test::PlainLearner(), options);
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().kind, Errc::cancelled);
  EXPECT_EQ(last, 1u) << "no further group starts";
}

// A device with inference rows only learns training ratios from another device.
TEST(Fit, UsesRelatedDevicesForModesWithTooFewRows) {
  const auto far_slower = [](const Task& task) { return task.kind == "conv" ? 3.0 : 1.0; };
  const auto inference = measured(kTrainingNetworks, {test::kInference}, test::slow_convolutions);
  const auto training = measured(kTrainingNetworks, {kTraining}, far_slower);
  FitOptions options = quick();
  const auto alone = fit(inference, test::roomy(), test::PlainLearner(), options);
  ASSERT_TRUE(alone) << alone.error().message;
  options.related = {{&training, test::roomy()}};
  const auto with_related = fit(inference, test::roomy(), test::PlainLearner(), options);
  ASSERT_TRUE(with_related) << with_related.error().message;
  EXPECT_LT(error_of(alone->model, "vgg16", kTraining, far_slower).time, -0.3);
  EXPECT_NEAR(error_of(with_related->model, "vgg16", kTraining, far_slower).time, 0, 0.05);
  EXPECT_NEAR(error_of(with_related->model, "vgg16", test::kInference, test::slow_convolutions).time, 0, 0.03)
      << "modes with rows are unaffected";
  ASSERT_EQ(with_related->model.training_sources.size(), 2u) << "listed as training data";
  EXPECT_EQ(with_related->model.training_sources[1].operations,
            static_cast<std::int64_t>(training.operations.size()));
}

HeldOutNetwork held_out(Mode mode, double time, double power) {
  HeldOutNetwork each;
  each.config.mode = mode;
  each.measured = Seconds{1};
  each.predicted = Seconds{time};
  if (power > 0) each.measured_power = Watts{100};
  each.predicted_power = Watts{power * 100};
  each.widths = {0.15, 0.15, 0.15};
  return each;
}

TEST(ScoresOf, AreMeanErrorsAndCoverage) {
  const auto scores = scores_of({held_out(Mode::inference, 1.1, 1), held_out(Mode::inference, 0.7, 1.2),
                                 held_out(Mode::training, 1.05, 0)});
  std::map<std::string, Score> named;
  for (const Score& score : scores) named[score.what] = score;
  ASSERT_TRUE(named.contains("networks, inference, time"));
  const Score& time = named["networks, inference, time"];
  EXPECT_EQ(time.rows, 2);
  EXPECT_NEAR(time.mape, 0.2, 1e-9);
  EXPECT_NEAR(time.coverage.value(), 0.5, 1e-9);
  EXPECT_NEAR(named["networks, inference, power"].mape, 0.1, 1e-9);
  EXPECT_NEAR(named["networks, inference, energy"].mape, (0.1 + 0.16) / 2, 1e-9);
  EXPECT_EQ(named["networks, training, time"].rows, 1);
  EXPECT_FALSE(named.contains("networks, training, power"));
  EXPECT_TRUE(scores_of(std::vector<HeldOutNetwork>{}).empty());
}

}  // namespace
}  // namespace ergon::predict
