#include <chrono>
#include <ergon/cap_loop.h>
#include <ergon/predict.h>
#include <thread>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

const OperatingPoints kPoints{.batches = {1, 2, 4, 8, 16, 32, 64}, .clocks = {}};

TEST(ApiCapLoop, HoldsACapOverTheLoopOfTheCaller) {
  const auto gpu = Device::twin("h200");
  const auto network = Network::load("resnet50");
  const auto predictor = Predictor::of_device("h200");
  ASSERT_TRUE(gpu && network && predictor);
  const Watts cap = 400_W;
  auto loop = CapLoop::start(*gpu, kPoints, cap);
  ASSERT_TRUE(loop) << loop.error().message;
  EXPECT_GT(loop->idle_power(), 20_W);
  EXPECT_LT(loop->idle_power(), 200_W);
  // The caller runs each batch, here on the twin, for as long as it takes there.
  // A busy machine delays decisions.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto settled = [&] {
    const auto decisions = loop->result().decisions;
    if (decisions.size() < 5) return false;
    const Watts power = decisions.back().feedback.mean_power.value_or(0_W);
    return power > cap * 0.6 && power < cap * 1.05;
  };
  std::int64_t running = 0;
  while (!settled() && std::chrono::steady_clock::now() < end) {
    const std::int64_t batch = loop->point().batch;
    loop->begin_batch();
    if (batch != running) {
      ASSERT_TRUE(gpu->run(*network, batch));
      running = batch;
    }
    const auto time = predictor->predict(*network, {.batch = batch})->time.value;
    std::this_thread::sleep_for(std::chrono::duration<double>(time.si()));
    const auto ended = loop->end_batch();
    ASSERT_TRUE(ended) << ended.error().message;
  }
  const CapResult result = loop->result();
  ASSERT_GE(result.decisions.size(), 5u);
  EXPECT_GT(result.decisions.front().next.point.batch, 1);
  // Power of the last decisions is near the cap, and not above it by more than noise.
  const CapFeedback& last = result.decisions.back().feedback;
  ASSERT_TRUE(last.mean_power);
  EXPECT_LE(*last.mean_power, cap * 1.05);
  EXPECT_GE(*last.mean_power, cap * 0.6);
  EXPECT_GT(result.throughput, 0);
  EXPECT_EQ(result.caps.size(), 1u);
  EXPECT_TRUE(result.caps[0].took);
}

TEST(ApiCapLoop, ErrorsSayWhatIsWrong) {
  const auto gpu = Device::twin("h200");
  ASSERT_TRUE(gpu);
  EXPECT_EQ(CapLoop::start(*gpu, {}, 400_W).error().kind, Errc::invalid_input);
  const auto below_idle = CapLoop::start(*gpu, kPoints, 5_W);
  ASSERT_FALSE(below_idle);
  EXPECT_NE(below_idle.error().message.find("5 W"), std::string::npos) << below_idle.error().message;
  CapLoopOptions unknown;
  unknown.idle_power = 70_W;
  unknown.controller.name = "joit";
  EXPECT_EQ(CapLoop::start(*gpu, kPoints, 400_W, unknown).error().kind, Errc::unknown_name);

  CapLoopOptions known;
  known.idle_power = 70_W;
  auto loop = CapLoop::start(*gpu, kPoints, 400_W, known);
  ASSERT_TRUE(loop) << loop.error().message;
  EXPECT_EQ(loop->idle_power(), 70_W);
  EXPECT_EQ(loop->end_batch().error().kind, Errc::invalid_input);
  EXPECT_EQ(loop->set_cap(60_W).error().kind, Errc::invalid_input);
  EXPECT_EQ(loop->cap(), 400_W);
  EXPECT_TRUE(loop->set_cap(300_W));
  EXPECT_EQ(loop->cap(), 300_W);
  EXPECT_EQ(loop->result().caps.size(), 2u);
}

}  // namespace
}  // namespace ergon::test
