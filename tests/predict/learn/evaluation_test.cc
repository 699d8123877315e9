#include "predict/learn/evaluation.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "predict/estimate/measured_iterations.h"
#include "predict/learn/cross_validation.h"
#include "predict/learn/plain_learner.h"

namespace ergon::predict {
namespace {

// Some networks, each at two batches.
TrainingDataByDevice measured_networks() {
  const auto gpu = test::roomy();
  TrainingDataByDevice all;
  TrainingData& data = all[gpu.name];
  data.device = gpu.name;
  data.sources = {{"synthetic", "physics", 0, 0}};
  for (const char* name : {"resnet18", "resnet34", "vgg11_bn", "squeezenet1_1"}) {
    for (const std::int64_t batch : {8, 32}) {
      WorkloadConfig config = test::kInference;
      config.batch = batch;
      const Iteration iteration = test::iteration_named(name, config);
      test::measure_operations(data, iteration, gpu, test::slow_convolutions);
      data.networks.push_back(test::measured_network(iteration, gpu, test::slow_convolutions));
    }
  }
  return all;
}

Evaluation evaluated(const EvaluationOptions& options) {
  const auto done = evaluate(measured_networks(), test::roomy(), test::PlainLearner(), options);
  EXPECT_TRUE(done) << done.error().message;
  return done ? *done : Evaluation{};
}

std::int64_t rows_of(const Evaluation& evaluation, const std::string& what) {
  const auto found = std::find_if(evaluation.scores.begin(), evaluation.scores.end(),
                                  [&](const Score& score) { return score.what == what; });
  return found == evaluation.scores.end() ? 0 : found->rows;
}

TEST(Evaluation, OfOperationsIsTheCrossValidation) {
  EvaluationOptions options;
  options.networks = false;
  options.folds = 3;
  const Evaluation evaluation = evaluated(options);
  EXPECT_FALSE(evaluation.networks);
  const TrainingDataByDevice all = measured_networks();
  CrossValidationOptions validation;
  validation.folds = 3;
  const auto scores =
      scores_of(cross_validate(all.begin()->second, test::roomy(), test::PlainLearner(), validation).value());
  ASSERT_EQ(evaluation.scores.size(), scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(evaluation.scores[i].what, scores[i].what);
    EXPECT_EQ(evaluation.scores[i].mape, scores[i].mape);
  }
}

TEST(Evaluation, OfNetworksHoldsOutEachOneAndScoresLargeBatches) {
  EvaluationOptions options;
  options.operations = false;
  const Evaluation every_batch = evaluated(options);
  ASSERT_TRUE(every_batch.networks);
  EXPECT_EQ(every_batch.networks->held_out.size(), 8u);
  EXPECT_EQ(every_batch.networks->with_measured_operations.size(), 8u);
  EXPECT_EQ(rows_of(every_batch, "networks, inference, time"), 8);
  EXPECT_EQ(rows_of(every_batch, "networks with measured operations, inference, time"), 8);
  options.min_batch = 32;
  const Evaluation large = evaluated(options);
  EXPECT_EQ(large.networks->held_out.size(), 8u) << "listed at all batches";
  EXPECT_EQ(rows_of(large, "networks, inference, time"), 4);
}

TEST(Evaluation, NamesWhatHasTooFewRows) {
  TrainingDataByDevice all = measured_networks();
  TrainingData& data = all.begin()->second;
  data.operations.resize(8);
  EvaluationOptions options;
  options.networks = false;
  const auto few = evaluate(all, test::roomy(), test::PlainLearner(), options).value();
  EXPECT_TRUE(few.scores.empty());
  EXPECT_EQ(few.skipped,
            std::vector<std::string>{"operations, inference, tf32: 8 rows; cross-validation needs 50"});
  data.operations.clear();
  const auto none = evaluate(all, test::roomy(), test::PlainLearner(), options).value();
  EXPECT_EQ(none.skipped, std::vector<std::string>{"operations: no rows"});
  EXPECT_TRUE(evaluated({}).skipped.empty());
}

TEST(Evaluation, NamesABatchWithoutNetworks) {
  EvaluationOptions options;
  options.operations = false;
  options.min_batch = 64;
  const Evaluation evaluation = evaluated(options);
  EXPECT_TRUE(evaluation.scores.empty());
  EXPECT_EQ(evaluation.skipped, std::vector<std::string>{"networks: no rows from batch 64"});
}

TEST(TrainingDevices, DataIsThatOfTheNamedOrTheOnlyDevice) {
  TrainingDataByDevice all;
  EXPECT_EQ(data_of(all, std::nullopt).error().message,
            "the data has rows of no device; choose one with --device");
  all["a30"].device = "a30";
  EXPECT_EQ(data_of(all, std::nullopt).value(), &all["a30"]);
  all["h200"].device = "h200";
  EXPECT_EQ(data_of(all, "H200").value(), &all["h200"]);
  EXPECT_EQ(data_of(all, std::nullopt).error().message,
            "the data has rows of a30 and h200; choose one with --device");
  EXPECT_EQ(data_of(all, "a3").error().message,
            "--data has no rows of device \"a3\" (did you mean \"a30\"?)");
}

TEST(TrainingDevices, RelatedDevicesAreAllOthers) {
  TrainingDataByDevice all;
  for (const char* name : {"a30", "h200", "v100"}) all[name].device = name;
  const auto related = related_devices_of("h200", all);
  ASSERT_EQ(related.size(), 2u);
  EXPECT_EQ(related[0].gpu.name, "a30");
  EXPECT_EQ(related[0].data, &all["a30"]);
  EXPECT_EQ(related[1].gpu.name, "v100");
}

TEST(TrainingDevices, FewNetworksAreHeldOutOneByOne) {
  TrainingData data;
  data.networks.resize(99);
  EXPECT_EQ(network_folds(data), 99u);
  data.networks.resize(100);
  EXPECT_EQ(network_folds(data), FitOptions{}.folds);
}

}  // namespace
}  // namespace ergon::predict
