// Devices that are lost: the energy before is reported.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "meter/recorded_twin.h"
#include "meter/validity.h"

namespace ergon::meter {
namespace {

using namespace ergon::literals;
using Codes = std::vector<std::string>;

TEST(LostDevice, ReportsTheEnergyUpToTheLoss) {
  for (const char* name : {"v100", "a100-sxm-80", "h200", "a40", "p40"}) {
    RecordedTwin recorded(name);
    recorded.watch();
    const Joules before = recorded.twin.true_energy();
    const SpanId id = recorded.open();
    recorded.twin.run(recorded.load());
    recorded.pass(5_s);
    recorded.gpu.faults.failing_every = 1;
    recorded.gpu.faults.failing_with = Errc::device_lost;
    const Joules until_then = recorded.twin.true_energy() - before;
    recorded.pass(5_s);
    recorded.close(id);
    const auto report = recorded.recorder->report(id);
    ASSERT_TRUE(report) << "the report does not wait after a loss";
    EXPECT_EQ(report->failure.value().kind, Errc::device_lost);
    const Measurement measured = meter::measured({*report});
    EXPECT_EQ(measured.reasons.at(0).code, "device_lost") << name;
    EXPECT_LT(measured.energy, until_then * 1.1) << name;
    EXPECT_GT(measured.energy, until_then * 0.6) << name;
    EXPECT_NEAR(measured.duration.si(), 5, 1.5) << name << ": it says how far it knows";
    EXPECT_EQ(recorded.recorder->failure().value().kind, Errc::device_lost);
  }
}

TEST(LostDevice, LosingPermissionCountsAsLost) {
  for (const Errc kind : {Errc::permission, Errc::unsupported}) {
    RecordedTwin recorded("v100");
    recorded.watch();
    const SpanId id = recorded.open();
    recorded.pass(1_s);
    recorded.gpu.faults.failing_every = 1;
    recorded.gpu.faults.failing_with = kind;
    recorded.pass(1_s);
    recorded.close(id);
    EXPECT_TRUE(has(recorded.measurement(id).reasons, "device_lost"));
  }
}

TEST(LostDevice, AWindowThatEndedBeforeTheLossIsComplete) {
  RecordedTwin recorded("v100");
  recorded.watch();
  const SpanId id = recorded.open();
  recorded.twin.run(recorded.load());
  recorded.pass(3_s);
  recorded.close(id);
  recorded.pass(3_s);
  recorded.gpu.faults.failing_every = 1;
  recorded.gpu.faults.failing_with = Errc::device_lost;
  recorded.pass(1_s);
  const Measurement measured = recorded.measurement(id);
  EXPECT_EQ(measured.duration, 3_s);
  EXPECT_EQ(codes(measured.reasons), Codes{});
}

TEST(LostDevice, ALossBeforeTheFirstReadingIsAnError) {
  RecordedTwin recorded("v100");
  recorded.watch();
  recorded.gpu.faults.failing_every = 1;
  recorded.gpu.faults.failing_with = Errc::device_lost;
  recorded.pass(1_s);
  const SpanId id = recorded.open();
  recorded.pass(1_s);
  recorded.close(id);
  const SpanReport report = recorded.report(id);
  EXPECT_TRUE(report.failure);
  EXPECT_FALSE(report.known());
}

}  // namespace
}  // namespace ergon::meter
