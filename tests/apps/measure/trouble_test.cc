// Failures of the machine during `ergon measure`, and the state afterwards.

#include <gtest/gtest.h>

#include "apps/measure/fake_host.h"

namespace ergon::app {
namespace {

using test::FakeHost;
using Json = nlohmann::json;

TEST(MeasureTrouble, NoDriver) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto gone = host.run("ERGON_NVML=/no/such/library ergon measure -- touch ran");
  if (gone.exit_code == 0) GTEST_SKIP() << "this machine's processor counts energy";
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_NE(gone.err.find("NVML cannot be loaded from /no/such/library"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(host.path("ran")));
  EXPECT_EQ(host.run("ERGON_NVML=/no/such/library ergon devices").exit_code, 0);
}

TEST(MeasureTrouble, ADriverThatFailsOrHasNoGpu) {
  const FakeHost stopped(R"("faults": [{"fault": "no_driver"}])");
  const auto refused = stopped.run("ergon measure --device gpu0 -- true");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err, "");
  const FakeHost empty(R"("devices": [])");
  const auto none = empty.run("ergon measure --device gpu0 -- true");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err, "");
}

TEST(MeasureTrouble, AGpuIsLost) {
  const FakeHost host(R"("devices": ["v100"], "faults": [{"fault": "lost", "gpu": 0, "from": "2s"}])");
  const auto lost = host.run("ergon measure --json -- sleep 3");
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_NE(lost.err.find("lost"), std::string::npos) << lost.err;
  const Json part = Json::parse(lost.out, nullptr, false);
  ASSERT_TRUE(part.is_object()) << lost.err;
  EXPECT_EQ(part["valid"], false);
  EXPECT_TRUE(std::string(part["reasons"][0]).starts_with("device_lost: ")) << part["reasons"];
  EXPECT_GT(double(part["energy_joules"]), 0);
  EXPECT_LT(double(part["duration_seconds"]), 2.5);
  // If the GPU is lost before, the command does not run.
  const auto late = host.run("ergon measure --device gpu0 -- sh -c 'exit 5'");
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_NE(late.err.find("lost"), std::string::npos) << late.err;
}

TEST(MeasureTrouble, ImplausibleReadingsAreDropped) {
  const FakeHost host(
      R"("devices": ["v100"], "faults": [{"fault": "absurd", "reading": "usage", "value": "3TW", "every": 50}])");
  const Json measured = host.json("ergon measure --json -- sleep 2");
  EXPECT_GT(measured["sources"][0]["dropped"], 0);
  EXPECT_LT(double(measured["peak_power_watts"]), 400);
  EXPECT_EQ(measured["valid"], true) << measured["reasons"];
}

TEST(MeasureTrouble, DetectsAStuckSensor) {
  const FakeHost host(
      R"("devices": ["v100"], "faults": [{"fault": "stuck", "reading": "usage", "gpu": 0, "from": "0s"}])");
  const Json measured = host.json("ergon measure --json -- fake-gpu run resnet50 --batch 64 --for 3s");
  EXPECT_EQ(measured["valid"], false);
  EXPECT_NE(measured["reasons"].dump().find("sensor_stuck"), std::string::npos) << measured["reasons"];
  EXPECT_NE(measured["reasons"].dump().find("counter_disagrees"), std::string::npos) << measured["reasons"];
}

TEST(MeasureTrouble, ControlNeedsPermissionTwice) {
  const FakeHost host(R"("devices": ["v100"], "permissions": "none")");
  const auto unasked = host.run("ergon measure --clock 900MHz -- touch ran");
  EXPECT_EQ(unasked.exit_code, 1);
  EXPECT_NE(unasked.err.find("--allow-control"), std::string::npos);
  const auto denied = host.run("ergon measure --clock 900MHz --allow-control -- touch ran");
  EXPECT_EQ(denied.exit_code, 1);
  EXPECT_NE(denied.err, "");
  EXPECT_FALSE(std::filesystem::exists(host.path("ran")));
  EXPECT_EQ(host.gpu()["locked_core"], nullptr);
}

}  // namespace
}  // namespace ergon::app
