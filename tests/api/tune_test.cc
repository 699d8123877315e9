#include <ergon/tune.h>
#include <limits>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

void expect_equal(const OperatingPoint& point, const nlohmann::json& printed) {
  EXPECT_EQ(point.device, printed["device"].get<std::string>());
  EXPECT_EQ(point.batch, printed["batch"]);
  EXPECT_EQ(point.prediction.clock.si(), printed["clock_hertz"]);
  EXPECT_EQ(point.power_limit.si(), printed["power_limit_watts"]);
  EXPECT_EQ(point.latency().si(), printed["time_seconds"]);
  EXPECT_EQ(point.energy_per_sample().si(), printed["energy_per_sample_joules"]);
}

TEST(ApiTune, EqualsTheProgram) {
  const auto network = Network::load("resnet50");
  const std::vector<Predictor> devices{*Predictor::of_device("h200"), *Predictor::of_device("a30")};
  TuneRequest request;
  request.max_latency = 20_ms;
  const auto tuned = tune_network(*network, devices, request);
  ASSERT_TRUE(tuned) << tuned.error().message;
  const auto printed = program_json("tune resnet50 --device h200,a30 --max-latency 20ms");
  expect_equal(tuned->choice, printed["choice"]);
  expect_equal(tuned->at_default, printed["default"]);
  EXPECT_EQ(tuned->energy_saving, printed["energy_saving"]);
  ASSERT_EQ(tuned->front.size(), printed["pareto"].size());
  EXPECT_EQ(tuned->devices.size(), 2u);
}

TEST(ApiTune, RejectsTwoDevicesWithOneName) {
  std::ifstream in(std::string(ERGON_REPOSITORY) + "/data/devices/a30.json");
  auto device = nlohmann::json::parse(in);
  device["memory"]["bandwidth_gb_per_s"] = {500, "sheet"};
  const TemporaryFolder folder;
  std::ofstream(folder / "my.json") << device;
  const auto network = Network::load("resnet18");
  const auto a30 = Predictor::of_device("a30"), mine = Predictor::of_device((folder / "my.json").string());
  ASSERT_TRUE(a30 && mine) << mine.error().message;
  const auto tuned = tune_network(*network, {*a30, *mine});
  ASSERT_FALSE(tuned);
  EXPECT_EQ(tuned.error().kind, Errc::invalid_input);
  EXPECT_NE(tuned.error().message.find("a30"), std::string::npos);
  EXPECT_TRUE(tune_network(*network, {*a30, *a30}));
}

TEST(ApiTune, KeepsTheBoundsAndSavesEnergy) {
  const auto network = Network::load("resnet50");
  const std::vector<Predictor> v100{*Predictor::of_device("v100")};
  TuneRequest request;
  request.max_latency = 60_ms;
  request.max_power = 180_W;
  request.min_throughput = 200;
  const auto tuned = tune_network(*network, v100, request);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_LE(tuned->choice.latency(), 60_ms);
  EXPECT_LE(tuned->choice.prediction.power.value, 180_W);
  EXPECT_GE(tuned->choice.samples_per_second(), 200);
  EXPECT_GT(tuned->energy_saving, 0);
  EXPECT_LT(tuned->choice.energy_per_sample(), tuned->at_default.energy_per_sample());
  EXPECT_EQ(tuned->at_default.clock, std::nullopt);
  // The front trades latency for energy.
  ASSERT_GT(tuned->front.size(), 2u);
  for (std::size_t i = 1; i < tuned->front.size(); ++i) {
    EXPECT_GT(tuned->front[i].latency(), tuned->front[i - 1].latency());
    EXPECT_LT(tuned->front[i].energy_per_sample(), tuned->front[i - 1].energy_per_sample());
  }
}

TEST(ApiTune, TriesOnlyWhatIsAllowed) {
  const auto network = Network::load("resnet18");
  const std::vector<Predictor> h200{*Predictor::of_device("h200")};
  TuneRequest request;
  request.batches = {8};
  request.lock_clocks = false;
  const auto tuned = tune_network(*network, h200, request);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->choice.batch, 8);
  EXPECT_EQ(tuned->choice.clock, std::nullopt);
  request.lock_clocks = true;
  request.min_clock = 600_MHz;
  request.max_clock = 900_MHz;
  const auto slow = tune_network(*network, h200, request);
  ASSERT_TRUE(slow && slow->choice.clock);
  EXPECT_LE(*slow->choice.clock, 900_MHz);
}

TEST(ApiTune, ChoosesByPrice) {
  const std::vector<Predictor> both{*Predictor::of_device("h200"), *Predictor::of_device("a30")};
  TuneRequest request;
  request.objective = Objective::price;
  EXPECT_FALSE(tune_network(*Network::load("resnet50"), both, request)) << "no price";
  request.prices.per_gpu_hour = {{"h200", 1000}, {"a30", 0.01}};
  EXPECT_EQ(tune_network(*Network::load("resnet50"), both, request)->choice.device, "a30");
  request.prices.per_gpu_hour = {{"h200", 0.01}, {"a30", 1000}};
  EXPECT_EQ(tune_network(*Network::load("resnet50"), both, request)->choice.device, "h200");
}

TEST(ApiTune, RejectsPricesAndClocksThatDoNotApply) {
  const std::vector<Predictor> a30{*Predictor::of_device("a30")};
  const auto network = Network::load("resnet18");
  const auto message_of = [&](const TuneRequest& request) {
    const auto tuned = tune_network(*network, a30, request);
    return tuned ? std::string() : tuned.error().message;
  };
  TuneRequest request;
  request.prices.per_gpu_hour = {{"a30", 1}, {"h200", 3}};
  EXPECT_EQ(message_of(request), "per_gpu_hour: no predictor of h200");
  request.prices.per_gpu_hour = {{"h200", 3}};
  EXPECT_EQ(message_of(request), "per_gpu_hour: no price for a30");
  request.prices.per_gpu_hour = {{"a30", -1}};
  EXPECT_EQ(message_of(request), "per_gpu_hour: -1 is not a price");
  request.prices = {.per_kwh = std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(message_of(request), "per_kwh: nan is not a price");
  request = {.lock_clocks = false, .min_clock = 900_MHz};
  EXPECT_EQ(message_of(request), "min_clock and max_clock need lock_clocks");
}

TEST(ApiTune, SaysWhyNothingFits) {
  const std::vector<Predictor> a30{*Predictor::of_device("a30")};
  TuneRequest request;
  request.max_latency = 1_us;
  const auto tuned = tune_network(*Network::load("resnet50"), a30, request);
  ASSERT_FALSE(tuned);
  EXPECT_NE(tuned.error().message.find("latency"), std::string::npos) << tuned.error().message;
  EXPECT_EQ(tune_network(*Network::load("resnet50"), {}, {}).error().kind, Errc::invalid_input);
  request = {};
  request.power_limits = {9000_W};
  EXPECT_EQ(tune_network(*Network::load("resnet50"), a30, request).error().kind, Errc::invalid_input);
  request = {};
  request.batches = {1 << 20};
  EXPECT_EQ(tune_network(*Network::load("resnet50"), a30, request).error().kind, Errc::out_of_memory);
}

}  // namespace
}  // namespace ergon::test
