// Devices that stop answering: what is known of before is kept.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "meter/validity.h"
#include "meter/watched_twin.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;
using Codes = std::vector<std::string>;

TEST(LostDevice, ALostDeviceKeepsTheEnergyUpToThen) {
  for (const char* name : {"v100", "a100-sxm-80", "h200", "a40", "p40"}) {
    WatchedTwin watched(name);
    watched.watch();
    const Joules before = watched.twin.true_energy();
    const SpanId id = watched.open();
    watched.twin.run(watched.load());
    watched.pass(5_s);
    watched.gpu.faults.failing_every = 1;
    watched.gpu.faults.failing_with = Errc::device_lost;
    const Joules until_then = watched.twin.true_energy() - before;
    watched.pass(5_s);
    watched.close(id);
    const auto report = watched.recorder->report(id);
    ASSERT_TRUE(report) << "nobody waits for what does not come";
    EXPECT_EQ(report->failure.value().kind, Errc::device_lost);
    const Measurement measured = meter::measured({*report});
    EXPECT_EQ(measured.reasons.at(0).code, "device_lost") << name;
    EXPECT_LT(measured.energy, until_then * 1.1) << name;
    EXPECT_GT(measured.energy, until_then * 0.6) << name;
    EXPECT_NEAR(measured.duration.si(), 5, 1.5) << name << ": it says how far it knows";
    EXPECT_EQ(watched.recorder->failure().value().kind, Errc::device_lost);
  }
}

TEST(LostDevice, ADeviceThatMayNoLongerBeReadIsLostToo) {
  for (const Errc kind : {Errc::permission, Errc::unsupported}) {
    WatchedTwin watched("v100");
    watched.watch();
    const SpanId id = watched.open();
    watched.pass(1_s);
    watched.gpu.faults.failing_every = 1;
    watched.gpu.faults.failing_with = kind;
    watched.pass(1_s);
    watched.close(id);
    EXPECT_TRUE(has(watched.measurement(id).reasons, "device_lost"));
  }
}

TEST(LostDevice, AWindowThatWasOverBeforeTheDeviceWasLostIsWhole) {
  WatchedTwin watched("v100");
  watched.watch();
  const SpanId id = watched.open();
  watched.twin.run(watched.load());
  watched.pass(3_s);
  watched.close(id);
  watched.pass(3_s);
  watched.gpu.faults.failing_every = 1;
  watched.gpu.faults.failing_with = Errc::device_lost;
  watched.pass(1_s);
  const Measurement measured = watched.measurement(id);
  EXPECT_EQ(measured.duration, 3_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
}

TEST(LostDevice, ADeviceLostBeforeItSaidAnythingHasNothingToTell) {
  WatchedTwin watched("v100");
  watched.watch();
  watched.gpu.faults.failing_every = 1;
  watched.gpu.faults.failing_with = Errc::device_lost;
  watched.pass(1_s);
  const SpanId id = watched.open();
  watched.pass(1_s);
  watched.close(id);
  const SpanReport report = watched.report(id);
  EXPECT_TRUE(report.failure);
  EXPECT_FALSE(report.known());
}

}  // namespace
}  // namespace ergon::meter
