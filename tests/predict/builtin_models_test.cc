// The models that come with Ergon: they can be read, they were as good as documents say when they were
// fitted, and they still say the same of networks that this repository has measurements of. Whoever changes
// a feature or a twin without fitting again is told so here.

#include "predict/builtin_models.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/statistics/quantile.h"
#include "graph/zoo/zoo.h"
#include "predict/dataset_samples.h"
#include "predict/model_file.h"
#include "predict/predictor.h"
#include "predict/some_jobs.h"
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

TEST(BuiltinModels, AreThoseOfThreeDevicesAndMeasured) {
  EXPECT_EQ(builtin_models(), (std::vector<std::string>{"a30", "h200", "rtx2080ti"}));
  for (const std::string& device : builtin_models()) {
    const Model model = builtin(device);
    EXPECT_EQ(model.device, device);
    EXPECT_EQ(model.regime, Regime::learned);
    EXPECT_FALSE(model.simulated());
    EXPECT_FALSE(model.sources.empty());
    EXPECT_GT(model.time.trees(), 100u);
  }
  EXPECT_TRUE(builtin_model("v100").empty());
}

// What docs/predict.md says of networks that were held back.
TEST(BuiltinModels, MetNetworksThatWereHeldBack) {
  const Model a30 = builtin("a30"), h200 = builtin("h200"), rtx = builtin("rtx2080ti");
  EXPECT_LT(error_of(a30, "networks, inference, time"), 0.12);
  EXPECT_LT(error_of(a30, "networks, inference, energy"), 0.10);
  EXPECT_LT(error_of(a30, "networks, training, time"), 0.12);
  EXPECT_LT(error_of(a30, "networks, training, energy"), 0.10);
  // All batches, also those at which networks wait for their host.
  for (const char* host : {"python", "native"}) {
    const auto of = [&](const char* mode, const char* quantity) {
      return error_of(h200, fmt::format("networks, {}, {} host, {}", mode, host, quantity));
    };
    EXPECT_LT(of("inference", "time"), 0.12) << host;
    EXPECT_LT(of("inference", "energy"), 0.10) << host;
    EXPECT_LT(of("training", "time"), 0.12) << host;
    EXPECT_LT(of("training", "energy"), 0.10) << host;
  }
  // One network of seven waits longer for its operations by themselves than for the whole.
  EXPECT_LT(error_of(rtx, "networks, inference, time"), 0.20);
  EXPECT_LT(error_of(rtx, "networks, inference, energy"), 0.10);
  EXPECT_LT(error_of(rtx, "networks, training, time"), 0.16);
  EXPECT_LT(error_of(rtx, "networks, training, energy"), 0.19);
}

TEST(BuiltinModels, CoverNineNetworksOfTen) {
  for (const Score& score : builtin("h200").scores) {
    EXPECT_GE(score.coverage.value(), 0.85) << score.what;
    EXPECT_LE(score.coverage.value(), 0.95) << score.what;
  }
}

TEST(BuiltinModels, NumbersThatAChipDoesNotHaveAreItsPlainOnes) {
  const auto predictor = Predictor::with(test::gpu_called("rtx2080ti"), builtin("rtx2080ti")).value();
  const auto ask = [&](device::Precision precision) {
    return predictor.prepare(test::job_called("resnet50", {32, graph::Mode::inference, precision})).value();
  };
  const Outlook plain = ask(device::Precision::fp32), rounded = ask(device::Precision::tf32);
  EXPECT_GT(plain.known_share(), 0.4);
  EXPECT_NEAR(plain.known_share(), rounded.known_share(), 1e-9);
  EXPECT_NEAR((plain.at({}).time.value / rounded.at({}).time.value).si(), 1, 1e-6);
}

// The H200's rows are here: what the model says of them today.
TEST(BuiltinModels, StillMeetTheRowsOfTheH200) {
  auto predictor = Predictor::with(test::gpu_called("h200"), builtin("h200"));
  ASSERT_TRUE(predictor);
  const auto contents = profile::read_dataset(ERGON_REPOSITORY "/data/measured/h200");
  ASSERT_TRUE(contents) << contents.error().message;
  std::map<graph::Mode, std::vector<double>> times, energies;
  std::size_t covered = 0, all = 0;
  for (const profile::Row& row : contents->rows) {
    if (row.subject.what != profile::Subject::What::network || !row.valid || !row.energy) continue;
    if (row.condition.batch < 32 || row.repeat > 0) continue;
    const auto entry = graph::zoo::find(row.subject.id);
    ASSERT_TRUE(entry) << row.subject.id;
    const auto network = graph::zoo::build(**entry, {});
    ASSERT_TRUE(network);
    const auto outlook = predictor->prepare(
        *network, {row.condition.batch, row.condition.mode, row.condition.precision, Host::native});
    ASSERT_TRUE(outlook) << outlook.error().message;
    const Forecast forecast = outlook->at({});
    const Joules energy = *row.energy;
    times[row.condition.mode].push_back(std::abs((forecast.time.value / *row.time).si() - 1));
    energies[row.condition.mode].push_back(std::abs((forecast.energy.value / energy).si() - 1));
    ++all;
    if (forecast.energy.low <= energy && energy <= forecast.energy.high) ++covered;
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
