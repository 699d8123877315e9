#include "device/lease/held_devices.h"

#include <gtest/gtest.h>

#include "device/lease/lease_fixture.h"

namespace ergon::device {
namespace {

using namespace literals;
using test::LeaseFixture;
using test::SharedDevice;
using test::WriteFault;

Result<HeldDevices> hold(LeaseFixture& fixture, const RequestedControls& requested) {
  return HeldDevices::hold({&fixture.gpu}, requested, fixture.store, ControlAllowed::by_user());
}

TEST(HeldDevices, HoldsAndRestores) {
  LeaseFixture fixture;
  {
    auto held = hold(fixture, {.core_clock = 900_MHz, .power_limit = 200_W}).value();
    EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 200_W);
    EXPECT_EQ(fixture.gpu.now(Control::core_clock).clocks, (ClockRange{900_MHz, 900_MHz}));
    const auto changes = held.changes();
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].device, "gpu0");
    EXPECT_EQ(changes[0].change.control, Control::core_clock);
    EXPECT_EQ(changes[1].change.before->power_limit, 300_W);
    EXPECT_EQ(changes[1].change.requested.power_limit, 200_W);
    EXPECT_TRUE(held.release({}));
  }
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
  EXPECT_FALSE(fixture.gpu.now(Control::core_clock).clocks);
}

TEST(HeldDevices, HoldsNothingIfNothingIsRequested) {
  LeaseFixture fixture;
  const auto held = hold(fixture, {}).value();
  EXPECT_TRUE(held.changes().empty());
  EXPECT_TRUE(fixture.gpu.writes().empty());
}

TEST(HeldDevices, RestoresTheFirstDeviceIfTheSecondFails) {
  LeaseFixture fixture;
  SharedDevice second("GPU-other");
  second.fault(Control::power_limit, WriteFault::refuses);
  const auto held = HeldDevices::hold({&fixture.gpu, &second}, {.power_limit = 200_W}, fixture.store,
                                      ControlAllowed::by_user());
  ASSERT_FALSE(held);
  EXPECT_EQ(held.error().kind, Errc::permission);
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(HeldDevices, ReturnsTheFirstFailureAndNotesTheOthers) {
  LeaseFixture fixture;
  auto held = hold(fixture, {.core_clock = 900_MHz, .memory_clock = 800_MHz}).value();
  fixture.gpu.fault(Control::core_clock, WriteFault::fails);
  fixture.gpu.fault(Control::memory_clock, WriteFault::fails);
  std::vector<std::string> notes;
  const auto released = held.release([&](std::string_view note) { notes.emplace_back(note); });
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().kind, Errc::io);
  EXPECT_TRUE(released.error().message.starts_with("gpu0: ")) << released.error().message;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes[0].starts_with("gpu0: ")) << notes[0];
  EXPECT_NE(notes[0], released.error().message);
  fixture.gpu.no_trouble();
}

TEST(HeldDevices, NeedsADeviceWithControls) {
  LeaseFixture fixture;
  EXPECT_EQ(
      HeldDevices::hold({}, {.power_limit = 200_W}, fixture.store, ControlAllowed::by_user()).error().kind,
      Errc::unsupported);
}

}  // namespace
}  // namespace ergon::device
