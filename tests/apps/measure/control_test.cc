// Clocks and limits during `ergon measure` and after every way in which it can end.

#include <csignal>

#include <gtest/gtest.h>

#include "apps/measure/fake_host.h"

namespace ergon::app {
namespace {

using test::FakeHost;
using test::is_free;
using test::is_held;
using Json = nlohmann::json;

constexpr const char* kHeld = "ergon measure --json --clock 900MHz --power-limit 180W --allow-control -- ";

TEST(MeasureControl, HoldsAndRestores) {
  const FakeHost host(R"("devices": ["v100"])");
  const Json measured =
      host.json(std::string(kHeld) +
                "sh -c 'fake-gpu status --json >held.json; exec fake-gpu run resnet50 --for 600ms'");
  EXPECT_TRUE(is_held(Json::parse(std::ifstream(host.path("held.json")))["gpus"][0]));
  EXPECT_TRUE(is_free(host.gpu()));
  ASSERT_EQ(measured["controls"].size(), 2U);
  EXPECT_EQ(measured["controls"][0]["requested"]["max_hertz"], 900e6);
  EXPECT_EQ(measured["controls"][1]["before"]["watts"], 250);
  // The observed clock is the nearest supported step.
  EXPECT_NEAR(double(measured["sources"][0]["clock_max_hertz"]), 900e6, 8e6);
}

TEST(MeasureControl, RestoresWhenTheCommandFailsOrIsMissing) {
  const FakeHost host(R"("devices": ["v100"])");
  EXPECT_EQ(host.run(std::string(kHeld) + "false").exit_code, 1);
  EXPECT_TRUE(is_free(host.gpu()));
  EXPECT_EQ(host.run(std::string(kHeld) + "no-such-command").exit_code, 127);
  EXPECT_TRUE(is_free(host.gpu()));
  EXPECT_EQ(host.run("ergon measure --clock 900MHz --power-limit 9kW --allow-control -- true").exit_code, 1);
  EXPECT_TRUE(is_free(host.gpu()));
}

// Sends a signal only to ergon, while the command runs.
std::string interrupted_by(const char* signal) {
  return std::string(kHeld) +
         "sh -c 'fake-gpu status --json >held.json; echo $$ >command.pid; exec sleep 30' & pid=$!; sleep 2; "
         "kill -" +
         signal + " $pid; wait $pid";
}

TEST(MeasureControl, RestoresOnCtrlC) {
  const FakeHost host(R"("devices": ["v100"])");
  for (const char* signal : {"INT", "TERM"}) {
    // A shell starts background commands with SIGINT ignored, unless job control is on.
    const auto ended = host.run("set -m; " + interrupted_by(signal));
    EXPECT_NE(ended.exit_code, 0);
    EXPECT_TRUE(is_held(Json::parse(std::ifstream(host.path("held.json")))["gpus"][0]));
    EXPECT_TRUE(is_free(host.gpu())) << signal;
    EXPECT_TRUE(Json::parse(ended.out, nullptr, false).contains("energy_joules")) << ended.out << ended.err;
  }
}

TEST(MeasureControl, OnlyOneAtATime) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran =
      host.run(std::string(kHeld) + "sleep 3 >/dev/null & sleep 1.5; " +
               "ergon measure --clock 1GHz --allow-control -- touch ran; code=$?; wait; exit $code");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("process "), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(host.path("ran")));
  EXPECT_TRUE(is_free(host.gpu()));
}

}  // namespace
}  // namespace ergon::app
