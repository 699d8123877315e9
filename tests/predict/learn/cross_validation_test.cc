#include "predict/learn/cross_validation.h"

#include <set>

#include <gtest/gtest.h>

#include "predict/estimate/measured_iterations.h"
#include "predict/learn/plain_learner.h"

namespace ergon::predict {
namespace {

using graph::Mode;

TrainingData measured(const test::Distortion& distortion) {
  TrainingData data;
  data.device = "a30";
  for (const char* name : {"resnet18", "vgg11_bn", "mobilenet_v2", "googlenet"})
    test::measure_operations(data, test::iteration_named(name, test::kInference), test::roomy(), distortion);
  return data;
}

// Records the number of training rows of every fit.
class RecordingLearner final : public Learner {
 public:
  Result<Forest> grow(const Examples& examples, const TreeParameters& parameters) const override {
    sizes.push_back(examples.rows());
    return plain_.grow(examples, parameters);
  }
  std::string_view name() const override { return "recording"; }
  mutable std::vector<std::size_t> sizes;

 private:
  test::PlainLearner plain_;
};

CrossValidationOptions quick_validation() {
  CrossValidationOptions options;
  options.folds = 4;
  options.threads = 1;
  return options;
}

TEST(CrossValidation, TestsEveryOperationOnceAndTrainsOnTheOthers) {
  const TrainingData data = measured(test::slow_convolutions);
  const RecordingLearner learner;
  const auto held_out = cross_validate(data, test::roomy(), learner, quick_validation());
  ASSERT_TRUE(held_out) << held_out.error().message;
  std::set<const OperationSample*> tested;
  for (const HeldOutOperation& each : *held_out) tested.insert(each.sample);
  EXPECT_EQ(tested.size(), data.operations.size());
  ASSERT_EQ(learner.sizes.size(), 8u) << "four folds, time and power";
  std::size_t trained = 0;
  for (std::size_t i = 0; i < learner.sizes.size(); i += 2) trained += learner.sizes[i];
  EXPECT_EQ(trained, 3 * data.operations.size()) << "each row is held out in one fold";
}

TEST(CrossValidation, FindsACommonFactor) {
  const TrainingData data = measured(test::slow_convolutions);
  const auto held_out = cross_validate(data, test::roomy(), test::PlainLearner(), quick_validation());
  ASSERT_TRUE(held_out) << held_out.error().message;
  const auto scores = scores_of(*held_out);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].what, "operations, inference, tf32, time");
  EXPECT_LT(scores[0].mape, 0.02);
  EXPECT_GT(scores[0].r_squared.value(), 0.99);
  EXPECT_FALSE(scores[0].coverage);
}

TEST(CrossValidation, KeepsAllBatchesOfAnOperationInOneFold) {
  TrainingData data = measured(test::undistorted);
  const std::size_t once = data.operations.size();
  for (const char* name : {"resnet18", "vgg11_bn", "mobilenet_v2", "googlenet"})
    test::measure_operations(data, test::iteration_named(name, {8, Mode::inference, device::Precision::tf32}),
                             test::roomy(), [](const Task&) { return 3; });
  ASSERT_GT(data.operations.size(), once);
  // With as many folds as operations, only rows of the same operation are held out together.
  CrossValidationOptions options = quick_validation();
  std::set<std::string> groups;
  for (const OperationSample& each : data.operations) groups.insert(each.group);
  options.folds = groups.size();
  const RecordingLearner learner;
  ASSERT_TRUE(cross_validate(data, test::roomy(), learner, options));
  std::map<std::string, std::size_t> together;
  for (const OperationSample& each : data.operations) ++together[each.group];
  std::multiset<std::size_t> expected, seen;
  for (const auto& [group, count] : together) expected.insert(data.operations.size() - count);
  for (std::size_t i = 0; i < learner.sizes.size(); i += 2) seen.insert(learner.sizes[i]);
  EXPECT_EQ(seen, expected);
}

TEST(CrossValidation, StopsWhenRequested) {
  std::stop_source source;
  CrossValidationOptions options = quick_validation();
  options.stop = source.get_token();
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t) {
    last = done;
    source.request_stop();
  };
  const auto held_out =
      cross_validate(measured(test::undistorted), test::roomy(), test::PlainLearner(), options);
  ASSERT_FALSE(held_out);
  EXPECT_EQ(held_out.error().kind, Errc::cancelled);
  EXPECT_EQ(last, 1u) << "no further fold starts";
}

TEST(CrossValidation, NeedsTwoFolds) {
  CrossValidationOptions options = quick_validation();
  options.folds = 1;
  const auto held_out =
      cross_validate(measured(test::undistorted), test::roomy(), test::PlainLearner(), options);
  ASSERT_FALSE(held_out);
  EXPECT_EQ(held_out.error().kind, Errc::invalid_input);
}

}  // namespace
}  // namespace ergon::predict
