#include <algorithm>
#include <ergon/predict.h>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

template <typename Q>
void expect_equal(const Estimate<Q>& estimate, const nlohmann::json& printed) {
  EXPECT_EQ(estimate.value.si(), printed["value"]);
  EXPECT_EQ(estimate.low.si(), printed["low"]);
  EXPECT_EQ(estimate.high.si(), printed["high"]);
}

void expect_equal(const Prediction& prediction, const nlohmann::json& printed) {
  expect_equal(prediction.time, printed["time_seconds"]);
  expect_equal(prediction.power, printed["power_watts"]);
  expect_equal(prediction.energy, printed["energy_joules"]);
  expect_equal(prediction.energy_per_sample, printed["energy_per_sample_joules"]);
  EXPECT_EQ(prediction.clock.si(), printed["clock_hertz"]);
  EXPECT_EQ(prediction.limited, printed["clock_limited"]);
  EXPECT_EQ(prediction.host_bound, printed["host_bound"]);
  EXPECT_EQ(name_of(prediction.source), printed["source"].get<std::string>());
}

TEST(ApiPredict, EqualsTheProgram) {
  const auto network = Network::load("resnet50");
  const auto predictor = Predictor::of_device("h200");
  ASSERT_TRUE(predictor) << predictor.error().message;
  const auto prediction = predictor->predict(*network, {.batch = 32});
  ASSERT_TRUE(prediction) << prediction.error().message;
  expect_equal(*prediction, program_json("predict resnet50 --device h200 --batch 32"));
  EXPECT_EQ(prediction->source, PredictionSource::learned);
  EXPECT_FALSE(prediction->simulated);

  const Workload training{
      .batch = 16, .mode = Mode::training, .precision = Precision::bf16, .host = LaunchHost::native};
  const auto slow = predictor->predict(*network, training, {.clock = 900_MHz, .power_limit = 500_W});
  ASSERT_TRUE(slow) << slow.error().message;
  expect_equal(*slow,
               program_json("predict resnet50 --device h200 --batch 16 --mode training --precision bf16 "
                            "--host native --clock 900MHz --power-limit 500W"));
  EXPECT_TRUE(slow->simulated) << "a clock was requested";
}

TEST(ApiPredict, PreparedNetworkEqualsTheProgram) {
  const auto prepared = Predictor::of_device("h200")->prepare(*Network::load("vit_b_16"), {.batch = 8});
  ASSERT_TRUE(prepared) << prepared.error().message;
  const auto printed = program_json("predict vit_b_16 --device h200 --batch 8");
  EXPECT_EQ(prepared->memory().si(), printed["memory_bytes"]);
  EXPECT_EQ(prepared->measured_share(), printed["measured_operations_share"]);
  EXPECT_EQ(prepared->warnings().size(), printed["warnings"].size());
  const auto operations = prepared->operations();
  ASSERT_TRUE(operations);
  ASSERT_EQ(operations->size(), printed["operations"].size());
  Joules sum;
  for (const OperationPrediction& each : *operations) sum += each.energy;
  EXPECT_NEAR(sum.si(), prepared->at()->energy.value.si(), 1e-9 * sum.si());
}

TEST(ApiPredict, ClockCurveFallsInTimeAndRisesInPower) {
  const auto predictor = Predictor::of_device("v100");
  ASSERT_TRUE(predictor);
  const auto curve = predictor->prepare(*Network::load("vgg16"), {.batch = 32})->clock_curve();
  ASSERT_TRUE(curve);
  ASSERT_EQ(curve->size(), predictor->clocks().size());
  std::size_t unlimited = 1;
  for (std::size_t i = 1; i < curve->size() && !(*curve)[i].limited; ++i, ++unlimited) {
    EXPECT_LE((*curve)[i].time.value, (*curve)[i - 1].time.value);
    EXPECT_GE((*curve)[i].power.value, (*curve)[i - 1].power.value);
    EXPECT_TRUE((*curve)[i].simulated);
  }
  EXPECT_GT(unlimited, 50u);
  const auto limited = predictor->prepare(*Network::load("vgg16"), {.batch = 32})->clock_curve(150_W);
  ASSERT_TRUE(limited);
  EXPECT_TRUE(limited->back().limited);
  EXPECT_LE(limited->back().power.value, 150_W * 1.001);
}

TEST(ApiPredict, PhysicalModelAloneSaysSo) {
  const auto physical = Predictor::physical("h200");
  ASSERT_TRUE(physical);
  EXPECT_EQ(physical->source(), PredictionSource::twin);
  EXPECT_EQ(physical->device(), "h200");
  EXPECT_EQ(physical->default_power_limit(), 700_W);
  const auto prediction = physical->predict(*Network::load("resnet50"));
  ASSERT_TRUE(prediction);
  EXPECT_EQ(prediction->source, PredictionSource::twin);
  EXPECT_TRUE(prediction->simulated);
  EXPECT_LT(prediction->energy.low, prediction->energy.value);
}

TEST(ApiPredict, ReadsAModelFile) {
  const auto models = bundled_models();
  ASSERT_NE(std::find(models.begin(), models.end(), "h200"), models.end());
  const std::string file = std::string(ERGON_REPOSITORY) + "/data/models/h200.json";
  const auto from_file = Predictor::of_model_file("h200", file);
  ASSERT_TRUE(from_file) << from_file.error().message;
  const auto network = Network::load("resnet18");
  EXPECT_EQ(from_file->predict(*network)->energy.value,
            Predictor::of_device("h200")->predict(*network)->energy.value);
  EXPECT_FALSE(Predictor::of_model_file("v100", file)) << "a model of another device";
}

TEST(ApiPredict, RefusesWhatADeviceCannotDo) {
  EXPECT_EQ(Predictor::of_device("h20O").error().kind, Errc::unknown_name);
  const auto predictor = Predictor::of_device("a30");
  ASSERT_TRUE(predictor);
  const auto network = Network::load("resnet50");
  EXPECT_EQ(predictor->predict(*network, {}, {.clock = 9_GHz}).error().kind, Errc::invalid_input);
  EXPECT_EQ(predictor->predict(*network, {}, {.power_limit = 1_W}).error().kind, Errc::invalid_input);
  EXPECT_EQ(predictor->predict(*network, {.batch = 1 << 20}).error().kind, Errc::out_of_memory);
  EXPECT_EQ(predictor->predict(*network, {.batch = 0}).error().kind, Errc::invalid_input);
}

}  // namespace
}  // namespace ergon::test
