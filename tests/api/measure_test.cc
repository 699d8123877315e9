#include <chrono>
#include <cmath>
#include <ergon/measure.h>
#include <thread>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

void rest(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

TEST(ApiMeasure, WindowHoldsTheTrueEnergyOfAGpu) {
  const FakeDriver driver(
      R"("devices": ["h200"], "background": [{"gpu": 0, "network": "resnet50", "batch": 64}])");
  const auto gpus = select_devices();
  ASSERT_TRUE(gpus) << gpus.error().message;
  auto meter = Meter::start(*gpus);
  ASSERT_TRUE(meter) << meter.error().message;
  rest(200);
  const auto before = FakeDriver::truth();
  Window whole = meter->begin();
  Window first = meter->begin();
  rest(600);
  first.end();
  Window second = meter->begin();
  rest(600);
  second.end();
  whole.end();
  const auto after = FakeDriver::truth();

  const auto all = whole.measurement();
  ASSERT_TRUE(all) << all.error().message;
  const double truth = (after.joules - before.joules) / (after.seconds - before.seconds);
  EXPECT_TRUE(all->simulated);
  EXPECT_LT(all->energy.low, all->energy.value);
  EXPECT_LT(all->energy.value, all->energy.high);
  // The interval is 95 %; twice its width is hardly ever exceeded.
  EXPECT_NEAR(all->power.value.si(), truth, 2 * (all->power.high - all->power.value).si());
  EXPECT_NEAR(all->duration.si(), 1.2, 0.3);
  EXPECT_NEAR((all->power.value * all->duration).si(), all->energy.value.si(), 1e-6 * all->energy.value.si());
  EXPECT_GE(all->peak_power, all->power.value);
  EXPECT_LE(all->statistical, all->energy.high - all->energy.value);
  ASSERT_EQ(all->devices.size(), 1u);
  EXPECT_EQ(all->devices[0].device.id, "gpu0");
  EXPECT_GT(all->devices[0].samples, 5u);
  EXPECT_EQ(all->valid, all->reasons.empty());

  // Parts sum to the whole.
  const auto a = first.measurement(), b = second.measurement();
  ASSERT_TRUE(a && b);
  const Joules sum = a->energy.value + b->energy.value;
  EXPECT_NEAR(sum.si(), all->energy.value.si(), 0.02 * all->energy.value.si());
  EXPECT_EQ(whole.measurement().error().kind, Errc::invalid_input);
}

TEST(ApiMeasure, ShortWindowSaysWhyItIsNotValid) {
  const FakeDriver driver(R"("devices": ["v100"])");
  auto meter = Meter::start(*select_devices());
  ASSERT_TRUE(meter);
  Window window = meter->begin();
  rest(2);
  const auto measured = window.measurement();
  ASSERT_TRUE(measured);
  EXPECT_FALSE(measured->valid);
  ASSERT_FALSE(measured->reasons.empty());
  EXPECT_EQ(measured->reasons[0].code, "too_short");
  EXPECT_FALSE(measured->reasons[0].text.empty());
}

TEST(ApiMeasure, MeasuresATwinInRealTime) {
  const auto twin = Device::twin("a100-sxm-80");
  ASSERT_TRUE(twin) << twin.error().message;
  std::optional<Window> kept;
  {
    auto meter = Meter::start({*twin});
    ASSERT_TRUE(meter) << meter.error().message;
    Window idle = meter->begin();
    rest(500);
    const auto before = idle.measurement();
    ASSERT_TRUE(twin->run(*Network::load("resnet50"), 64));
    rest(300);
    kept = meter->begin();
    rest(700);
    ASSERT_TRUE(before);
    EXPECT_LT(before->power.value, 80_W);
  }
  // The window outlives its meter.
  const auto busy = kept->measurement();
  ASSERT_TRUE(busy) << busy.error().message;
  EXPECT_GT(busy->power.value, 100_W);
  EXPECT_TRUE(busy->simulated);
}

TEST(ApiMeasure, NeedsADeviceAndCanBeCancelled) {
  EXPECT_EQ(Meter::start({}).error().kind, Errc::not_found);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(Meter::start({*Device::twin("h200")}, {}, stop.get_token()).error().kind, Errc::cancelled);
}

}  // namespace
}  // namespace ergon::test
