#include "predict/fit.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "predict/measured_jobs.h"
#include "predict/model_file.h"
#include "predict/plain_learner.h"
#include "predict/predictor.h"
#include "predict/xgboost/xgboost_learner.h"

namespace ergon::predict {
namespace {

using graph::Mode;

const Condition kTraining{16, Mode::training, device::Precision::tf32};

const std::vector<std::string> kTaught{"resnet18",     "resnet34",      "vgg11_bn",
                                       "mobilenet_v2", "squeezenet1_1", "densenet121"};

TrainingData measured(const std::vector<std::string>& networks, const std::vector<Condition>& conditions,
                      const test::Distortion& distortion, bool wholes = true) {
  const auto gpu = test::roomy();
  TrainingData data;
  data.device = gpu.name;
  data.sources = {{"made up", "physics", 0, 0}};
  for (const std::string& name : networks) {
    for (const Condition& condition : conditions) {
      const Job job = test::job_called(name, condition);
      test::measure_operations(data, job, gpu, distortion);
      if (wholes) data.networks.push_back(test::measured_whole(job, gpu, distortion));
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

Forecast forecast_of(const Model& model, const Job& job) {
  return Predictor::with(test::roomy(), model).value().prepare(job).value().at({});
}

// How far a network that was never seen is from where the distortion puts it.
struct Miss {
  double time = 0, power = 0;
};
Miss miss_of(const Model& model, const std::string& network, const Condition& condition,
             const test::Distortion& distortion) {
  const Job job = test::job_called(network, condition);
  const NetworkSample truth = test::measured_whole(job, test::roomy(), distortion);
  const Forecast forecast = forecast_of(model, job);
  return {(forecast.time.value / truth.time).si() - 1, (forecast.power.value / *truth.power).si() - 1};
}

TEST(Fit, LearnsThatConvolutionsAreSlowerAndPredictsNetworksNeverSeen) {
  const auto fitted = fit(measured(kTaught, {test::kInference}, test::slow_convolutions), test::roomy(),
                          test::PlainLearner(), quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  for (const char* network : {"resnet50", "googlenet", "vgg16", "mobilenet_v3_large"}) {
    const Miss learned = miss_of(fitted->model, network, test::kInference, test::slow_convolutions);
    EXPECT_NEAR(learned.time, 0, 0.03) << network;
    EXPECT_NEAR(learned.power, 0, 0.04) << network;
  }
  // The twin does not know it.
  const Job job = test::job_called("vgg16", test::kInference);
  const auto twin = Predictor(test::roomy()).prepare(job)->at({});
  EXPECT_GT((test::measured_whole(job, test::roomy(), test::slow_convolutions).time / twin.time.value).si(),
            1.3);
}

TEST(Fit, LearnsTrainingBesideInference) {
  const auto distortion = [](const Task& task) { return task.backward.empty() ? 0.8 : 1.4; };
  const auto fitted = fit(measured({"resnet18", "vgg11_bn", "squeezenet1_1", "mobilenet_v2"},
                                   {test::kInference, kTraining}, distortion),
                          test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  for (const Condition& condition : {test::kInference, kTraining})
    EXPECT_NEAR(miss_of(fitted->model, "resnet50", condition, distortion).time, 0, 0.04);
}

TEST(Fit, WithXgboostLearnsTheSame) {
  const XgboostLearner learner;
  if (learner.name() == "none") GTEST_SKIP() << "this build has no XGBoost";
  const auto fitted = fit(measured(kTaught, {test::kInference}, test::slow_convolutions, false),
                          test::roomy(), learner, quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_EQ(fitted->model.learner, "XGBoost");
  for (const char* network : {"resnet50", "googlenet"})
    EXPECT_NEAR(miss_of(fitted->model, network, test::kInference, test::slow_convolutions).time, 0, 0.05)
        << network;
}

TEST(Fit, WithoutNetworksLearnsOperationsOnly) {
  const auto data = measured(kTaught, {test::kInference}, test::slow_convolutions, false);
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted) << fitted.error().message;
  EXPECT_TRUE(fitted->held_back.empty());
  EXPECT_TRUE(fitted->model.scores.empty());
  EXPECT_TRUE(fitted->model.corrections.kinds.empty());
  EXPECT_NEAR(miss_of(fitted->model, "resnet50", test::kInference, test::slow_convolutions).time, 0, 0.03);
}

TEST(Fit, SaysWhatItWasLearnedFromAndHowWellItDoes) {
  const auto data =
      measured({"resnet18", "vgg11_bn", "squeezenet1_1"}, {test::kInference}, test::slow_convolutions);
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted);
  const Model& model = fitted->model;
  EXPECT_EQ(model.device, "a30");
  EXPECT_EQ(model.regime, Regime::learned);
  EXPECT_EQ(model.learner, "plain");
  ASSERT_EQ(model.sources.size(), 1U);
  EXPECT_EQ(model.sources[0].name, "made up");
  EXPECT_TRUE(model.range.contains({"conv", Mode::inference}));
  EXPECT_EQ(fitted->held_back.size(), data.networks.size());
  std::set<std::string> scores;
  for (const Score& score : model.scores) scores.insert(score.what);
  for (const char* what :
       {"networks, inference, time", "networks, inference, power", "networks, inference, energy"})
    EXPECT_TRUE(scores.contains(what)) << what;
  for (const HeldBack& each : fitted->held_back) EXPECT_NEAR(each.time_error(), 0, 0.05) << each.network;
  EXPECT_TRUE(read_model(write_model(model), "model"));
}

TEST(Fit, TheSameRowsGiveTheSameModel) {
  const auto data =
      measured({"resnet18", "vgg11_bn", "squeezenet1_1"}, {test::kInference}, test::slow_convolutions);
  FitOptions threads = quick();
  threads.threads = 2;
  const auto one = fit(data, test::roomy(), test::PlainLearner(), quick());
  const auto two = fit(data, test::roomy(), test::PlainLearner(), threads);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(write_model(one->model), write_model(two->model));
}

// AlexNet's operations that nobody else has all take three times as long.
Result<Fitted> fitted_with_strange_alexnet() {
  auto data = measured(kTaught, {test::kInference}, test::as_it_is);
  const Job strange = test::job_called("alexnet", test::kInference);
  std::set<std::string> shared;
  for (const OperationSample& each : data.operations) shared.insert(each.task.id);
  const auto distortion = [&](const Task& task) { return shared.contains(task.id) ? 1.0 : 3.0; };
  test::measure_operations(data, strange, test::roomy(), distortion);
  data.networks.push_back(test::measured_whole(strange, test::roomy(), distortion));
  FitOptions options = quick();
  options.folds = 7;
  return fit(data, test::roomy(), test::PlainLearner(12), options);
}

TEST(Fit, NetworksAreHeldBackWithTheOperationsThatOnlyTheyHave) {
  const auto fitted = fitted_with_strange_alexnet();
  ASSERT_TRUE(fitted);
  const HeldBack& alexnet = fitted->held_back.back();
  ASSERT_EQ(alexnet.network, "alexnet");
  EXPECT_LT(alexnet.time_error(), -0.3) << "it was predicted with its own rows";
  const Forecast with_them = forecast_of(fitted->model, test::job_called("alexnet", test::kInference));
  EXPECT_GT((with_them.time.value / alexnet.predicted).si(), 1.3) << "and all others with them";
}

// Says how many rows it was shown.
class CountingLearner : public Learner {
 public:
  Result<Forest> grow(const Examples& examples, const Recipe& recipe) const override {
    shown.push_back(examples.rows());
    return test::PlainLearner().grow(examples, recipe);
  }
  std::string_view name() const override { return "counting"; }
  mutable std::vector<std::size_t> shown;
};

// Operations at a batch at which no network was run whole are the network's own all the same.
TEST(Fit, OperationsAreHeldBackAtWhateverBatch) {
  auto data = measured(kTaught, {test::kInference}, test::as_it_is);
  std::set<std::string> others;
  for (const OperationSample& each : data.operations) others.insert(each.group);
  const std::size_t before = data.operations.size();
  data.networks.push_back(
      test::measured_whole(test::job_called("alexnet", test::kInference), test::roomy(), test::as_it_is));
  test::measure_operations(data, test::job_called("alexnet", {64, Mode::inference, device::Precision::tf32}),
                           test::roomy(), test::as_it_is);
  const auto own = static_cast<std::size_t>(
      std::count_if(data.operations.begin() + static_cast<std::ptrdiff_t>(before), data.operations.end(),
                    [&](const OperationSample& each) { return !others.contains(each.group); }));
  ASSERT_GT(own, 5U);
  FitOptions options = quick();
  options.folds = 7;
  const CountingLearner learner;
  ASSERT_TRUE(fit(data, test::roomy(), learner, options));
  const std::size_t all = data.operations.size();
  EXPECT_NE(std::find(learner.shown.begin(), learner.shown.end(), all - own), learner.shown.end());
  EXPECT_EQ(learner.shown.back(), all) << "in the end it is shown everything";
}

// The same network by itself, its operations measured: nothing is left to guess.
TEST(Fit, NetworksOfKnownOperationsAreMetBetter) {
  const auto fitted = fitted_with_strange_alexnet();
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->of_known_operations.size(), fitted->held_back.size());
  const HeldBack& known = fitted->of_known_operations.back();
  ASSERT_EQ(known.network, "alexnet");
  EXPECT_LT(std::abs(known.time_error()), 0.1);
  const auto is_known = [](const Score& score) { return score.what.starts_with(kOfKnownOperations); };
  EXPECT_TRUE(std::any_of(fitted->model.scores.begin(), fitted->model.scores.end(), is_known));
}

TEST(Fit, AModelKnowsWhichOperationsItWasLearnedFrom) {
  const auto data = measured(kTaught, {test::kInference}, test::as_it_is);
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_TRUE(fitted);
  const auto predictor = Predictor::with(test::roomy(), fitted->model).value();
  const auto share = [&](const char* network, const Condition& condition) {
    return predictor.prepare(test::job_called(network, condition))->known_share();
  };
  EXPECT_NEAR(share("resnet18", test::kInference), 1, 1e-9);
  EXPECT_GT(share("resnet50", test::kInference), 0.05) << "the first layers are those of others";
  EXPECT_LT(share("resnet50", test::kInference), 0.9);
  EXPECT_EQ(share("resnet18", kTraining), 0);
  EXPECT_EQ(Predictor(test::roomy()).prepare(test::job_called("resnet18", kTraining))->known_share(), 0);
}

TEST(Fit, ReportsProgress) {
  FitOptions options = quick();
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t of) {
    EXPECT_GT(done, last);
    EXPECT_LE(done, of);
    last = done;
  };
  ASSERT_TRUE(fit(measured({"resnet18", "vgg11_bn"}, {test::kInference}, test::as_it_is), test::roomy(),
                  test::PlainLearner(), options));
  EXPECT_GT(last, 0U);
}

TEST(Fit, RowsOfAnotherDeviceAreRefusedByName) {
  auto data = measured({"resnet18"}, {test::kInference}, test::as_it_is);
  data.device = "h200";
  const auto fitted = fit(data, test::roomy(), test::PlainLearner(), quick());
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().message.find("h200"), std::string::npos);
  EXPECT_NE(fitted.error().message.find("a30"), std::string::npos);
}

TEST(Fit, NoRowsAndTooFewAreErrors) {
  TrainingData none;
  none.device = "a30";
  const auto nothing = fit(none, test::roomy(), test::PlainLearner(), quick());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, Errc::invalid_input);
  const XgboostLearner learner;
  if (learner.name() == "none") return;
  auto few = measured({"resnet18"}, {test::kInference}, test::as_it_is, false);
  few.operations.resize(5);
  const auto fitted = fit(few, test::roomy(), learner, quick());
  ASSERT_FALSE(fitted);
  EXPECT_NE(fitted.error().message.find("too few"), std::string::npos) << fitted.error().message;
}

TEST(Fit, EndsWhenItIsToldTo) {
  std::stop_source source;
  FitOptions options = quick();
  options.stop = source.get_token();
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t) {
    last = done;
    source.request_stop();
  };
  const auto fitted = fit(measured(kTaught, {test::kInference}, test::as_it_is), test::roomy(),
                          test::PlainLearner(), options);
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().kind, Errc::cancelled);
  EXPECT_EQ(last, 1u) << "no group is begun any more";
}

// A device that was only run in inference learns from another how slow training is.
TEST(Fit, RelativesStandInWhereThereAreTooFewRows) {
  const auto far_slower = [](const Task& task) { return task.kind == "conv" ? 3.0 : 1.0; };
  const auto inference = measured(kTaught, {test::kInference}, test::slow_convolutions);
  const auto training = measured(kTaught, {kTraining}, far_slower);
  FitOptions options = quick();
  const auto alone = fit(inference, test::roomy(), test::PlainLearner(), options);
  ASSERT_TRUE(alone) << alone.error().message;
  options.relatives = {{&training, test::roomy()}};
  const auto helped = fit(inference, test::roomy(), test::PlainLearner(), options);
  ASSERT_TRUE(helped) << helped.error().message;
  EXPECT_LT(miss_of(alone->model, "vgg16", kTraining, far_slower).time, -0.3);
  EXPECT_NEAR(miss_of(helped->model, "vgg16", kTraining, far_slower).time, 0, 0.05);
  EXPECT_NEAR(miss_of(helped->model, "vgg16", test::kInference, test::slow_convolutions).time, 0, 0.03)
      << "what it has rows of is its own";
  ASSERT_EQ(helped->model.sources.size(), 2u) << "the file says so";
  EXPECT_EQ(helped->model.sources[1].operations, static_cast<std::int64_t>(training.operations.size()));
}

HeldBack held_back(Mode mode, double time, double power) {
  HeldBack each;
  each.condition.mode = mode;
  each.measured = Seconds{1};
  each.predicted = Seconds{time};
  if (power > 0) each.measured_power = Watts{100};
  each.predicted_power = Watts{power * 100};
  each.widths = {0.15, 0.15, 0.15};
  return each;
}

TEST(ScoresOf, AreMeansOfErrorsAndHowOftenIntervalsHeld) {
  const auto scores = scores_of({held_back(Mode::inference, 1.1, 1), held_back(Mode::inference, 0.7, 1.2),
                                 held_back(Mode::training, 1.05, 0)});
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
  EXPECT_TRUE(scores_of(std::vector<HeldBack>{}).empty());
}

}  // namespace
}  // namespace ergon::predict
