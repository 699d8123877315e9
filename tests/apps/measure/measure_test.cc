// `ergon measure` end to end on a machine with fake-nvml as driver.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "apps/measure/fake_host.h"

namespace ergon::app {
namespace {

using test::FakeHost;
using Json = nlohmann::json;

class MeasureOn : public testing::TestWithParam<const char*> {};

TEST_P(MeasureOn, TheTruthIsInsideTheInterval) {
  const FakeHost host(std::string("\"devices\": [\"") + GetParam() + "\"]");
  const double idle = host.gpu()["true_watts"];
  const Json measured =
      host.json("ergon measure --json -- fake-gpu run resnet50 --batch 32 --for 1200ms --json 2>work.json");
  const Json work = Json::parse(std::ifstream(host.path("work.json")), nullptr, false);
  ASSERT_TRUE(measured.is_object() && work.is_object());
  // Before and after the work the GPU is idle.
  const double outside = double(measured["duration_seconds"]) - double(work["seconds"]);
  const double truth = double(work["true_joules"]) + outside * idle;
  EXPECT_GT(outside, 0);
  EXPECT_LE(std::fabs(double(measured["energy_joules"]) - truth),
            double(measured["energy_uncertainty_joules"]));
  EXPECT_LT(double(measured["energy_uncertainty_joules"]), 0.1 * truth);
  EXPECT_EQ(measured["valid"], true) << measured["reasons"];
  EXPECT_EQ(measured["simulated"], true);
  EXPECT_EQ(measured["provenance"]["simulated"], true);
  EXPECT_GT(double(measured["peak_power_watts"]), double(measured["mean_power_watts"]));
  EXPECT_NEAR(double(measured["mean_power_watts"]) * double(measured["duration_seconds"]),
              double(measured["energy_joules"]), 1e-6);
  const Json& source = measured["sources"][0];
  EXPECT_EQ(source["kind"], "nvml");
  EXPECT_GT(source["samples"], 5);
  EXPECT_EQ(source["dropped"], 0);
  EXPECT_LT(std::fabs(double(source["counter_discrepancy"])), 0.05);
}

INSTANTIATE_TEST_SUITE_P(EverySensor, MeasureOn,
                         testing::Values("v100", "a100-sxm-80", "rtx2080ti", "a40", "h200"));

TEST(Measure, ExitCodesPassThrough) {
  const FakeHost host(R"("devices": ["v100"])");
  EXPECT_EQ(host.run("ergon measure -- true").exit_code, 0);
  EXPECT_EQ(host.run("ergon measure -- sh -c 'exit 7'").exit_code, 7);
  EXPECT_EQ(host.run("ergon measure -- sh -c 'exit 3'").exit_code, 3);
  const auto killed = host.run("ergon measure --json -- sh -c 'kill -9 $$'");
  EXPECT_EQ(killed.exit_code, 137);
  EXPECT_EQ(Json::parse(killed.out)["signal"], 9);
  EXPECT_NE(killed.err.find("terminated by signal 9"), std::string::npos);
}

TEST(Measure, ReportsCommandsThatCannotRun) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto missing = host.run("ergon measure -- no-such-command");
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_EQ(missing.err, "ergon: command \"no-such-command\" not found\n");
  EXPECT_EQ(missing.out, "");
  const auto file = host.run("touch plain; ergon measure -- ./plain");
  EXPECT_EQ(file.exit_code, 126);
}

TEST(Measure, PassesArgumentsUnchanged) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.run("ergon measure --out report.txt -- printf '<%s>' --json '' 'a b' -- devices -x");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, "<--json><><a b><--><devices><-x>");
  EXPECT_TRUE(std::filesystem::exists(host.path("report.txt")));
  const auto nowhere = host.run("ergon measure --out no/such/folder.txt -- touch ran");
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(host.path("ran")));
  EXPECT_EQ(host.run("ergon measure --json --out report.json -- echo hello").out, "hello\n");
  EXPECT_EQ(Json::parse(std::ifstream(host.path("report.json")))["valid"].is_boolean(), true);
}

TEST(Measure, JsonOutputIsOneDocument) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.run("ergon measure --json -- echo hello");
  EXPECT_EQ(Json::parse(ran.out)["schema"], "ergon.measure/2");
  EXPECT_NE(ran.err.find("hello"), std::string::npos);
}

TEST(Measure, TheTraceContainsEveryReading) {
  const FakeHost host(R"("devices": ["v100"])");
  const Json measured = host.json("ergon measure --json --trace trace.csv -- sleep 0.5");
  std::ifstream trace(host.path("trace.csv"));
  std::string line;
  std::getline(trace, line);
  EXPECT_EQ(line, "time_seconds,device,field,power_watts,simulated");
  int inside = 0;
  while (std::getline(trace, line)) {
    const double at = std::stod(line);
    inside += at >= 0 && at <= double(measured["duration_seconds"]);
    EXPECT_TRUE(line.ends_with(",true")) << line;
  }
  EXPECT_EQ(inside, measured["sources"][0]["samples"]);
}

TEST(Measure, AnUnwritableTraceIsAnErrorAfterTheReport) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto full = host.run("ergon measure --trace /dev/full -- true");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_NE(full.err.find("/dev/full: no space left"), std::string::npos) << full.err;
  EXPECT_NE(full.out.find("energy"), std::string::npos);
  // A path that cannot be created is reported before the command runs.
  const auto nowhere = host.run("ergon measure --trace no/such/folder.csv -- touch ran");
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(host.path("ran")));
}

TEST(Measure, IdlePowerIsSubtracted) {
  const FakeHost host(R"("devices": ["a100-sxm-80"])");
  const double idle = host.gpu()["true_watts"];
  const Json nothing = host.json("ergon measure --json --idle-subtract -- sleep 1");
  EXPECT_NEAR(double(nothing["idle_power_watts"]), idle, 3);
  EXPECT_LE(std::fabs(double(nothing["energy_joules"])), double(nothing["energy_uncertainty_joules"]) + 1);
  EXPECT_LT(double(nothing["energy_uncertainty_joules"]), 10);
  EXPECT_NEAR(double(nothing["gross"]["energy_joules"]),
              double(nothing["energy_joules"]) + double(nothing["idle"]["energy_joules"]), 1e-6);
  // Whether 0 is inside the interval depends on the noise; a share of the energy is never printed.
  const auto text = host.run("ergon measure --idle-subtract -- sleep 1");
  EXPECT_EQ(text.out.find("of the energy"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("\nidle        "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("\nabove idle  "), std::string::npos) << text.out;
}

TEST(Measure, AMissingProcessorIsNotExplainedByTheDriver) {
  if (std::filesystem::exists("/sys/class/powercap/intel-rapl:0")) GTEST_SKIP() << "this machine has RAPL";
  const FakeHost host(R"("devices": ["v100"])");
  for (const char* const driver : {"", "ERGON_NVML=/nonexistent "}) {
    const auto ran = host.run(std::string(driver) + "ergon measure --device cpu0 -- touch ran");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.err.find("cpu0: no RAPL energy counters in /sys/class/powercap"), std::string::npos)
        << ran.err;
    EXPECT_EQ(ran.err.find("NV"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(host.path("ran")));
  }
}

TEST(Measure, DetectsAnotherProcess) {
  const FakeHost host(R"("devices": ["v100"])");
  const Json shared =
      host.json("fake-gpu run resnet50 --for 4s >/dev/null & ergon measure --json -- sleep 1; kill $!; wait");
  EXPECT_EQ(shared["valid"], false);
  EXPECT_TRUE(std::string(shared["reasons"][0]).starts_with("other_process: gpu0: also used by process "))
      << shared["reasons"];
}

TEST(Measure, DetectsAnotherProcessBeforeTheCommand) {
  const FakeHost host(R"("devices": ["v100"])");
  const Json shared = host.json(
      "fake-gpu run resnet50 --for 20s >/dev/null & other=$!; "
      "ergon measure --json --idle-subtract -- sh -c \"kill $other; sleep 1\"; wait");
  EXPECT_EQ(shared["valid"], false);
  const auto is_idle = [](const Json& reason) {
    return std::string(reason).starts_with(
        "idle_other_process: before the command: gpu0: also used by process ");
  };
  EXPECT_TRUE(std::any_of(shared["reasons"].begin(), shared["reasons"].end(), is_idle)) << shared["reasons"];
  const Json& gross = shared["gross"]["reasons"];
  EXPECT_TRUE(std::none_of(gross.begin(), gross.end(), is_idle)) << gross;
}

TEST(Measure, SelectsDevicesByIdNumberOrUuid) {
  const FakeHost host(
      R"("devices": ["v100", {"twin": "a40", "uuid": "GPU-aaaabbbb-0000-0000-0000-000000000001"}])");
  for (const char* name : {"gpu1", "1", "GPU-aaaabbbb", "gpu-AAAABBBB-0000-0000-0000-000000000001"}) {
    const Json one = host.json(std::string("ergon measure --json --device ") + name + " -- true");
    ASSERT_EQ(one["sources"].size(), 1U) << name;
    EXPECT_EQ(one["sources"][0]["name"], "NVIDIA A40");
  }
  const Json both = host.json("ergon measure --json -- true");
  EXPECT_EQ(both["sources"].size(), 2U);
  EXPECT_NEAR(double(both["energy_joules"]),
              double(both["sources"][0]["energy_joules"]) + double(both["sources"][1]["energy_joules"]),
              1e-9);
  const auto none = host.run("ergon measure --device gpu2 -- true");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("unknown device \"gpu2\""), std::string::npos);
}

}  // namespace
}  // namespace ergon::app
