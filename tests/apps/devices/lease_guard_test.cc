// A command is killed while it holds a lease: the GPU is restored soon, without another start of Ergon.

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "apps/measure/fake_host.h"

namespace ergon::app {
namespace {

using test::FakeHost;
using test::is_free;
using test::is_held;
using Json = nlohmann::json;

// Usually within two seconds; a busy machine may take longer.
constexpr std::chrono::seconds kSoon{8};

Json gpu_of(const FakeHost& host, std::size_t index = 0) {
  return host.json("fake-gpu status --json")["gpus"][index];
}

bool is_soon_free(const FakeHost& host, std::size_t index = 0) {
  const auto until = std::chrono::steady_clock::now() + kSoon;
  while (!is_free(gpu_of(host, index))) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

// Starts a command that holds a lease and waits; its pid is in $pid. `kill $(cat waits.pid)` kills its child.
std::string holding(const std::string& device = "gpu0", const std::string& waits = "waits") {
  return "ergon measure --device " + device +
         " --clock 900MHz --power-limit 180W --allow-control -- sh -c 'fake-gpu status --json >" + waits +
         ".json; echo $$ >" + waits + ".pid; exec sleep 60' >/dev/null 2>&1 & pid=$!; while [ ! -s " + waits +
         ".pid ]; do sleep 0.05; done; ";
}

// Kills it and prints its exit status.
constexpr const char* kKill = "kill -KILL $pid; wait $pid; echo $?; kill $(cat waits.pid)";
constexpr const char* kKilled = "137\n";

// Sets $guard to the pid of the guard of $pid.
constexpr const char* kFindGuard =
    "guard=$(grep -la \"[l]ease-guard.$pid\" /proc/[0-9]*/cmdline 2>/dev/null | head -1 | cut -d/ -f3); ";

Json held_at(const FakeHost& host, const std::string& waits = "waits") {
  return Json::parse(std::ifstream(host.path(waits + ".json")), nullptr, false)["gpus"];
}

TEST(LeaseGuard, RestoresTheChangesOfAKilledCommand) {
  const FakeHost host(R"("devices": ["v100"])");
  EXPECT_EQ(host.run(holding() + kKill).out, kKilled);
  EXPECT_TRUE(is_held(held_at(host)[0]));
  EXPECT_TRUE(is_soon_free(host));
  // The next start has nothing to restore.
  EXPECT_EQ(host.run("ergon devices").err.find("restored to"), std::string::npos);
}

// A child of the command keeps running and does not delay the guard.
TEST(LeaseGuard, DoesNotWaitForChildrenOfTheCommand) {
  const FakeHost host(R"("devices": ["v100"])");
  EXPECT_EQ(host.run(holding() + "kill -KILL $pid; wait $pid; echo $?").out, kKilled);
  EXPECT_TRUE(is_soon_free(host));
  EXPECT_EQ(host.run("kill $(cat waits.pid)").exit_code, 0);
}

TEST(LeaseGuard, SurvivesAKillOfTheProcessGroup) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.run("setsid " + holding() + "kill -KILL -$pid; wait $pid; echo $?");
  EXPECT_EQ(ran.out, kKilled) << ran.err;
  EXPECT_TRUE(is_held(held_at(host)[0]));
  EXPECT_TRUE(is_soon_free(host));
}

TEST(LeaseGuard, IgnoresSignals) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran =
      host.run(holding() + kFindGuard +
               "for signal in INT TERM HUP QUIT; do kill -$signal $guard || echo none; done; " + kKill);
  EXPECT_EQ(ran.out, kKilled) << ran.err;
  EXPECT_TRUE(is_soon_free(host));
}

TEST(LeaseGuard, WorksWithARelativeStateFolder) {
  const FakeHost host(R"("devices": ["v100"])");
  EXPECT_EQ(host.run("export ERGON_STATE=here; " + holding() + kKill).out, kKilled);
  EXPECT_TRUE(std::filesystem::exists(host.path("here/leases")));
  EXPECT_TRUE(is_soon_free(host));
}

TEST(LeaseGuard, DoesNotTouchOtherLeases) {
  const FakeHost host(R"("devices": ["v100", "v100"])");
  const auto started =
      host.run(holding("gpu0", "first") + "echo $pid; " + holding("gpu1", "second") + "echo $pid");
  const std::string first = started.out.substr(0, started.out.find('\n'));
  const std::string second = started.out.substr(first.size() + 1, started.out.size() - first.size() - 2);
  host.run("kill -KILL " + second);
  EXPECT_TRUE(is_soon_free(host, 1));
  EXPECT_TRUE(is_held(gpu_of(host, 0)));
  host.run("kill $(cat second.pid); kill -KILL " + first);
  EXPECT_TRUE(is_soon_free(host, 0));
  host.run("kill $(cat first.pid)");
}

TEST(LeaseGuard, ExitsWithItsCommand) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.run(holding() + kFindGuard +
                            "[ -n \"$guard\" ] || echo no guard; kill $(cat waits.pid); "
                            "wait $pid; n=0; while [ -d /proc/$guard ] && [ $n -lt 160 ]; do sleep 0.05; "
                            "n=$((n+1)); done; [ -d /proc/$guard ] && echo still there; true");
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(is_free(host.gpu()));
}

TEST(LeaseGuard, IsNotStartedWithoutALease) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.run(
      "ergon measure -- sh -c 'echo $PPID >ergon.pid; exec sleep 60' >/dev/null 2>&1 & pid=$!; "
      "while [ ! -s ergon.pid ]; do sleep 0.05; done; " +
      std::string(kFindGuard) + "echo \"guard: $guard\"; kill $pid; wait $pid");
  EXPECT_EQ(ran.out, "guard: \n");
}

TEST(LeaseGuard, TheNextStartRestoresIfTheGuardIsKilledToo) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto killed = host.run(holding() + kFindGuard + "kill -KILL $guard || echo none; " + kKill);
  EXPECT_EQ(killed.out, kKilled) << killed.err;
  EXPECT_TRUE(is_held(host.gpu())) << killed.err;
  const auto next = host.run("ergon devices");
  EXPECT_TRUE(is_free(host.gpu()));
  EXPECT_NE(next.err.find("power_limit restored to 250 W"), std::string::npos) << next.err;
  EXPECT_EQ(host.run("ergon devices").err.find("restored to"), std::string::npos);
}

TEST(LeaseGuard, GuardsProfiles) {
  const FakeHost host(R"("devices": ["v100"])");
  const auto ran = host.run(
      "ergon profile --device gpu0 --networks resnet18 --measure networks --clocks 900MHz --duration 60s "
      "--out data "
      "--allow-control -q >/dev/null 2>&1 & pid=$!; n=0; "
      "until fake-gpu status --json | grep -q '\"locked_core\": {' || [ $n -gt 200 ]; "
      "do sleep 0.05; n=$((n+1)); done; fake-gpu status --json >held.json; kill -KILL $pid; wait $pid");
  EXPECT_FALSE(
      Json::parse(std::ifstream(host.path("held.json")), nullptr, false)["gpus"][0]["locked_core"].is_null());
  EXPECT_TRUE(is_soon_free(host)) << ran.err;
}

}  // namespace
}  // namespace ergon::app
