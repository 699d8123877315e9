// Bundled models: they can be read, their stored accuracy matches the documentation, and they still predict
// the networks measured in this repository. Fails if a feature or a twin changes without a new fit.

#include "predict/model/builtin_models.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/statistics/quantile.h"
#include "graph/zoo/zoo.h"
#include "predict/estimate/some_iterations.h"
#include "predict/model/model_file.h"
#include "predict/predictor.h"
#include "predict/samples/dataset_samples.h"
#include "profile/dataset.h"

namespace ergon::predict {
namespace {

Model builtin(const std::string& device) {
  auto model = read_model(builtin_model(device), device);
  EXPECT_TRUE(model) << model.error().message;
  return std::move(*model);
}

double error_of(const Model& model, const std::string& what) {
  const auto found = std::find_if(model.scores.begin(), model.scores.end(),
                                  [&](const Score& score) { return score.what == what; });
  return found == model.scores.end() ? INFINITY : found->mape;
}

TEST(BuiltinModels, ExistForThreeDevicesAndAreMeasured) {
  EXPECT_EQ(builtin_models(), (std::vector<std::string>{"a30", "h200", "rtx2080ti"}));
  for (const std::string& device : builtin_models()) {
    const Model model = builtin(device);
    EXPECT_EQ(model.device, device);
    EXPECT_EQ(model.source, PredictionSource::learned);
    EXPECT_FALSE(model.simulated());
    EXPECT_FALSE(model.training_sources.empty());
    EXPECT_GT(model.time.trees(), 100u);
  }
  EXPECT_TRUE(builtin_model("v100").empty());
}

// The accuracy that docs/predict.md states.
TEST(BuiltinModels, PredictHeldOutNetworks) {
  const Model a30 = builtin("a30"), h200 = builtin("h200"), rtx = builtin("rtx2080ti");
  EXPECT_LT(error_of(a30, "networks, inference, time"), 0.12);
  EXPECT_LT(error_of(a30, "networks, inference, energy"), 0.10);
  EXPECT_LT(error_of(a30, "networks, training, time"), 0.12);
  EXPECT_LT(error_of(a30, "networks, training, energy"), 0.10);
  // All batches, host-bound ones included.
  for (const char* host : {"python", "native"}) {
    const auto of = [&](const char* mode, const char* quantity) {
      return error_of(h200, fmt::format("networks, {}, {} host, {}", mode, host, quantity));
    };
    EXPECT_LT(of("inference", "time"), 0.12) << host;
    EXPECT_LT(of("inference", "energy"), 0.10) << host;
    EXPECT_LT(of("training", "time"), 0.12) << host;
    EXPECT_LT(of("training", "energy"), 0.10) << host;
  }
  // For one network of seven, the measured operations add up to more than the measured network.
  EXPECT_LT(error_of(rtx, "networks, inference, time"), 0.20);
  EXPECT_LT(error_of(rtx, "networks, inference, energy"), 0.10);
  EXPECT_LT(error_of(rtx, "networks, training, time"), 0.16);
  EXPECT_LT(error_of(rtx, "networks, training, energy"), 0.19);
}

TEST(BuiltinModels, IntervalsCoverNinetyPercent) {
  for (const Score& score : builtin("h200").scores) {
    EXPECT_GE(score.coverage.value(), 0.85) << score.what;
    EXPECT_LE(score.coverage.value(), 0.95) << score.what;
  }
}

TEST(BuiltinModels, Tf32EqualsFp32OnGpusWithoutTf32) {
  const auto predictor = Predictor::with(test::gpu_named("rtx2080ti"), builtin("rtx2080ti")).value();
  const auto prepare = [&](device::Precision precision) {
    return predictor.prepare(test::iteration_named("resnet50", {32, graph::Mode::inference, precision}))
        .value();
  };
  const PreparedNetwork plain = prepare(device::Precision::fp32), rounded = prepare(device::Precision::tf32);
  EXPECT_GT(plain.measured_share(), 0.4);
  EXPECT_NEAR(plain.measured_share(), rounded.measured_share(), 1e-9);
  EXPECT_NEAR((plain.predict({}).time.value / rounded.predict({}).time.value).si(), 1, 1e-6);
}

// The current predictions against the H200 rows of this repository.
TEST(BuiltinModels, PredictTheMeasuredRowsOfTheH200) {
  auto predictor = Predictor::with(test::gpu_named("h200"), builtin("h200"));
  ASSERT_TRUE(predictor);
  const auto contents = profile::read_dataset(ERGON_REPOSITORY "/data/measured/h200");
  ASSERT_TRUE(contents) << contents.error().message;
  std::map<graph::Mode, std::vector<double>> times, energies;
  std::size_t covered = 0, all = 0;
  for (const profile::Row& row : contents->rows) {
    if (row.subject.kind != profile::Subject::Kind::network || !row.valid || !row.energy) continue;
    if (row.condition.batch < 32 || row.repeat > 0) continue;
    const auto entry = graph::zoo::find(row.subject.id);
    ASSERT_TRUE(entry) << row.subject.id;
    const auto network = graph::zoo::build(**entry, {});
    ASSERT_TRUE(network);
    const auto prepared = predictor->prepare(
        *network, {row.condition.batch, row.condition.mode, row.condition.precision, LaunchHost::native});
    ASSERT_TRUE(prepared) << prepared.error().message;
    const Prediction prediction = prepared->predict({});
    const Joules energy = *row.energy;
    times[row.condition.mode].push_back(std::abs((prediction.time.value / *row.time).si() - 1));
    energies[row.condition.mode].push_back(std::abs((prediction.energy.value / energy).si() - 1));
    ++all;
    if (prediction.energy.low <= energy && energy <= prediction.energy.high) ++covered;
  }
  ASSERT_GT(all, 150u);
  for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training}) {
    EXPECT_LT(statistics::median(times[mode]).value(), 0.07);
    EXPECT_LT(statistics::median(energies[mode]).value(), 0.06);
  }
  EXPECT_GT(static_cast<double>(covered) / static_cast<double>(all), 0.85);
}

}  // namespace
}  // namespace ergon::predict
