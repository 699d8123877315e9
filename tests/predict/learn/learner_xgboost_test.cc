#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"
#include "predict/xgboost/xgboost_learner.h"

namespace ergon::predict {
namespace {

class Xgboost : public testing::Test {
 protected:
  void SetUp() override {
    if (learner.name() == "none") GTEST_SKIP() << "this build has no XGBoost";
  }
  XgboostLearner learner;
};

// A step, a slope and an irrelevant feature.
double truth(double a, double b) { return 5 + (a < 0.5 ? -1 : 1) + 0.5 * b; }

Examples some_examples(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Examples examples;
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = random.uniform(), b = random.uniform(), c = random.uniform();
    const float row[] = {static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
    examples.add(row, truth(a, b));
  }
  return examples;
}

double mean_error(const Forest& forest, const Examples& examples) {
  const auto targets = forest.sums(examples.features, examples.width);
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i)
    sum += std::abs(targets[i] - static_cast<double>(examples.targets[i]));
  return sum / static_cast<double>(targets.size());
}

TEST_F(Xgboost, LearnsASimpleFunctionBoosted) {
  TreeParameters parameters;
  parameters.feature_share = 1;
  const auto forest = learner.grow(some_examples(500, 1), parameters);
  ASSERT_TRUE(forest) << forest.error().message;
  EXPECT_EQ(forest->trees(), static_cast<std::size_t>(parameters.trees));
  EXPECT_LE(forest->features(), 3U);
  EXPECT_LT(mean_error(*forest, some_examples(500, 2)), 0.05);
}

TEST_F(Xgboost, LearnsASimpleFunctionAsAForest) {
  const auto forest = learner.grow(some_examples(500, 1), TreeParameters::forest_of(30));
  ASSERT_TRUE(forest) << forest.error().message;
  EXPECT_EQ(forest->trees(), 30U);
  EXPECT_LT(mean_error(*forest, some_examples(500, 2)), 0.1);
}

TEST_F(Xgboost, IsDeterministic) {
  for (TreeParameters parameters : {TreeParameters{}, TreeParameters::forest_of(10)}) {
    const auto one = learner.grow(some_examples(200, 3), parameters),
               two = learner.grow(some_examples(200, 3), parameters);
    ASSERT_TRUE(one && two);
    EXPECT_EQ(*one, *two);
    EXPECT_EQ(one->to_lines(), two->to_lines());
  }
}

TEST_F(Xgboost, AnotherSeedGivesAnotherForest) {
  TreeParameters other;
  other.seed = 2;
  const auto one = learner.grow(some_examples(200, 3), TreeParameters{}),
             two = learner.grow(some_examples(200, 3), other);
  ASSERT_TRUE(one && two);
  EXPECT_NE(*one, *two);
}

TEST_F(Xgboost, ReproducesConstantTargets) {
  Examples examples;
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const float row[] = {static_cast<float>(random.uniform())};
    examples.add(row, 0.75);
  }
  const auto forest = learner.grow(examples, TreeParameters{});
  ASSERT_TRUE(forest);
  EXPECT_NEAR(forest->sum(std::vector<float>{0.3F}), 0.75, 1e-6);
}

TEST_F(Xgboost, IgnoresRowsWithZeroWeight) {
  Random random(5);
  Examples examples;
  for (int i = 0; i < 400; ++i) {
    const double a = random.uniform();
    const float row[] = {static_cast<float>(a)};
    examples.add(row, a < 0.5 ? 0 : 1, 1);
    examples.add(row, 17, 1e-6);
  }
  const auto forest = learner.grow(examples, TreeParameters{});
  ASSERT_TRUE(forest);
  EXPECT_NEAR(forest->sum(std::vector<float>{0.2F}), 0, 0.05);
  EXPECT_NEAR(forest->sum(std::vector<float>{0.8F}), 1, 0.05);
}

TEST_F(Xgboost, RoundTripKeepsPredictions) {
  const auto forest = learner.grow(some_examples(200, 6), TreeParameters{});
  ASSERT_TRUE(forest);
  const auto lines = forest->to_lines();
  const auto again = Forest::from_lines(std::vector<std::string_view>(lines.begin(), lines.end()));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *forest);
}

TEST_F(Xgboost, RejectsTooFewRows) {
  for (const std::size_t rows : {0U, 1U, 7U}) {
    const auto forest = learner.grow(some_examples(rows, 1), TreeParameters{});
    ASSERT_FALSE(forest);
    EXPECT_EQ(forest.error().kind, Errc::invalid_input);
    EXPECT_NE(forest.error().message.find(std::to_string(rows)), std::string::npos) << forest.error().message;
  }
  EXPECT_TRUE(learner.grow(some_examples(8, 1), TreeParameters{}));
}

TEST_F(Xgboost, RejectsValuesThatAreNotFinite) {
  using Limits = std::numeric_limits<float>;
  for (const float bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    Examples target = some_examples(50, 1), feature = target, weight = target;
    target.targets[20] = bad;
    feature.features[70] = bad;
    weight.weights[20] = bad;
    EXPECT_FALSE(learner.grow(target, TreeParameters{})) << bad;
    EXPECT_FALSE(learner.grow(feature, TreeParameters{})) << bad;
    EXPECT_FALSE(learner.grow(weight, TreeParameters{})) << bad;
  }
}

TEST(Examples, StoreRowsContiguously) {
  Examples examples;
  examples.add(std::vector<float>{1, 2}, 3);
  examples.add(std::vector<float>{4, 5}, 6, 0.5);
  EXPECT_EQ(examples.rows(), 2U);
  EXPECT_EQ(examples.width, 2U);
  EXPECT_EQ(examples.features, (std::vector<float>{1, 2, 4, 5}));
  EXPECT_EQ(examples.targets, (std::vector<float>{3, 6}));
  EXPECT_EQ(examples.weights, (std::vector<float>{1, 0.5}));
}

}  // namespace
}  // namespace ergon::predict
