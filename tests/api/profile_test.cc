#include <ergon/cap.h>
#include <ergon/predict.h>
#include <ergon/profile.h>

#include "half_precision_file.h"
#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

TEST(ApiProfile, RunsANetworkOnATwin) {
  auto profiler = Profiler::open("h200");
  ASSERT_TRUE(profiler) << profiler.error().message;
  const auto network = Network::load("resnet50");
  ProfileRequest request;
  request.batch = 64;
  const auto profile = profiler->run(*network, request);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->simulated);
  EXPECT_EQ(profile->engine, "twin");
  EXPECT_EQ(profile->network, "resnet50");
  EXPECT_EQ(profile->batch, 64);
  EXPECT_GT(profile->iterations, 10);
  ASSERT_TRUE(profile->energy && profile->power && profile->energy_per_sample);
  EXPECT_LT(profile->energy->low, profile->energy->high);
  EXPECT_NEAR(profile->energy_per_sample->value.si() * 64, profile->energy->value.si(), 1e-12);
  EXPECT_NEAR(profile->power->value.si(), (profile->energy->value / profile->time.value).si(),
              0.1 * profile->power->value.si());
  // The physical model of the same twin predicts it.
  const auto physical = Predictor::physical("h200")->predict(*network, {.batch = 64});
  ASSERT_TRUE(physical);
  EXPECT_NEAR((profile->time.value / physical->time.value).si(), 1, 0.25);
}

// Without a precision, networks run in that of their file.
TEST(ApiProfile, DefaultPrecisionIsThatOfTheFile) {
  const TemporaryFolder folder;
  std::ofstream(folder / "half.onnx", std::ios::binary) << half_precision_file();
  const auto half = Network::load((folder / "half.onnx").string());
  if (!half && half.error().kind == Errc::unsupported) GTEST_SKIP() << "built without the onnx library";
  ASSERT_TRUE(half) << half.error().message;
  auto profiler = Profiler::open("h200");
  EXPECT_EQ(profiler->run(*half)->precision, Precision::fp16);
  EXPECT_EQ(profiler->run(*half, {.precision = Precision::bf16})->precision, Precision::bf16);
  EXPECT_EQ(profiler->run(*Network::load("resnet18"))->precision, Precision::tf32);

  // A twin at a fixed batch and clock: time and power depend on the precision only.
  const OperatingPoints points{{4096}, {}};
  const BatchAndClock point{4096, {}};
  const auto expected = [&](std::optional<Precision> precision) {
    return (*twin_prior(*half, "h200", points, precision))(point).time;
  };
  EXPECT_EQ(expected({}), expected(Precision::fp16));
  EXPECT_LT(expected({}), expected(Precision::fp32));
}

// A V100 has no bf16.
TEST(ApiProfile, NotesArithmeticThatTheDeviceDoesNotSupport) {
  auto profiler = Profiler::open("v100");
  ASSERT_TRUE(profiler) << profiler.error().message;
  const auto network = Network::load("squeezenet1_1");
  const auto profile = profiler->run(*network, {.precision = Precision::bf16});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->notes, std::vector<std::string>{
                                "v100 does not support bf16: the arithmetic is fp32, storage is 16 bits"});
  EXPECT_TRUE(profiler->run(*network, {.precision = Precision::fp16})->notes.empty());
}

TEST(ApiProfile, LocksAClock) {
  auto profiler = Profiler::open("v100");
  ASSERT_TRUE(profiler);
  const auto network = Network::load("vgg16");
  ProfileRequest request;
  request.batch = 32;
  const auto fast = profiler->run(*network, request);
  request.clock = 600_MHz;
  const auto slow = profiler->run(*network, request);
  ASSERT_TRUE(fast && slow);
  EXPECT_GT(slow->time.value, fast->time.value * 1.5);
  EXPECT_LT(slow->power->value, fast->power->value);
  const auto again = profiler->run(*network, {.batch = 32});
  ASSERT_TRUE(again);
  EXPECT_NEAR((again->time.value / fast->time.value).si(), 1, 0.05) << "the clock was restored";
  request.clock = 9_GHz;
  EXPECT_EQ(profiler->run(*network, request).error().kind, Errc::invalid_input);
}

TEST(ApiProfile, NeedsPermissionToLockAGpusClock) {
  const FakeDriver driver(R"("devices": ["h200"])");
  auto profiler = Profiler::open("gpu0");
  ASSERT_TRUE(profiler) << profiler.error().message;
  ProfileRequest request;
  request.clock = 900_MHz;
  EXPECT_EQ(profiler->run(*Network::load("resnet18"), request).error().kind, Errc::permission);
  EXPECT_EQ(FakeDriver::clocks().core_max, 0u);
}

TEST(ApiProfile, RunsANetworkOnAFakeGpuAtALockedClock) {
  const FakeDriver driver(R"("devices": ["h200"])");
  auto profiler = Profiler::open("gpu0", {.control = ControlAllowed::by_user()});
  ASSERT_TRUE(profiler) << profiler.error().message;
  ProfileRequest request;
  request.batch = 8;
  request.clock = 900_MHz;
  request.duration = 0.3_s;
  const auto profile = profiler->run(*Network::load("resnet18"), request);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->simulated);
  EXPECT_EQ(profile->max_clock, 900_MHz);
  EXPECT_EQ(FakeDriver::clocks().core_max, 0u);
}

TEST(ApiProfile, RunsANetworkOnTheProcessor) {
  auto profiler = Profiler::open("cpu");
  if (!profiler) {
    ASSERT_EQ(profiler.error().kind, Errc::unsupported);
    GTEST_SKIP() << profiler.error().message;
  }
  ProfileRequest request;
  request.duration = 0.1_s;
  const auto profile = profiler->run(*Network::load("squeezenet1_1"), request);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->engine, "libtorch");
  EXPECT_FALSE(profile->simulated);
  EXPECT_GT(profile->time.value, 1_ms);
  EXPECT_EQ(profile->energy.has_value(), profile->power.has_value());
  if (!profile->energy) {
    EXPECT_FALSE(profile->notes.empty()) << "why no energy was measured";
  }
}

TEST(ApiProfile, SaysWhatItCannotRun) {
  EXPECT_EQ(Profiler::open("h20O").error().kind, Errc::unknown_name);
  auto profiler = Profiler::open("a30");
  ASSERT_TRUE(profiler);
  EXPECT_EQ(profiler->run(*Network::load("resnet50"), {.batch = 1 << 20}).error().kind, Errc::out_of_memory);
}

}  // namespace
}  // namespace ergon::test
