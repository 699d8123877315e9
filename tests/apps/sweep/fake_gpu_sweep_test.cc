// Runs on a GPU that other processes use too, through fake NVML in real time.

#include <algorithm>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"
#include "profile/metered.h"
#include "profile/test_bench/fake_driver.h"
#include "profile/test_bench/fake_gpu_engine.h"
#include "support/process.h"
#include "sweep/device_executor.h"

namespace ergon::app {
namespace {

using test::FakeDriver;

constexpr Hertz kLow{900e6};
using Reasons = std::vector<std::string>;

struct Sweeping {
  FakeDriver driver;
  SystemClock clock;
  std::unique_ptr<profile::FakeGpuEngine> engine;
  std::unique_ptr<profile::MeteredDevices> metered;
  sweep::DeviceExecutor::Settings settings;

  explicit Sweeping(const std::string& scenario) : driver(scenario) {
    engine = profile::FakeGpuEngine::open(driver.gpu(), clock).value();
    metered = profile::MeteredDevices::start({&driver.gpu()}, clock, {}).value();
  }
  Result<sweep::RunRow> run(const sweep::Run& run) {
    sweep::DeviceExecutor bench(driver.gpu(), *engine, metered.get(), clock,
                                sweep::DeviceExecutor::Control{{driver.folder() / "leases", "boot-1"},
                                                               device::ControlAllowed::by_user()},
                                {{"resnet18", graph::zoo::build(**graph::zoo::find("resnet18")).value(), {}}},
                                settings);
    return bench.run(run, {});
  }
  // From another process.
  bool is_free() const {
    const std::string status = test::run_shell(std::string(ERGON_PROGRAMS) + "/fake-gpu status --json").out;
    return status.find("\"locked_core\": null") != std::string::npos;
  }
};

TEST(FakeGpuSweep, RunsAtTheRequestedClockAndRestoresIt) {
  Sweeping world(R"("devices": ["v100"])");
  const auto row = world.run({"resnet18", 8, sweep::Scenario::steady, kLow, 1});
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_TRUE(row->valid) << (row->reasons.empty() ? "" : row->reasons.front());
  EXPECT_EQ(row->clock_observed, kLow);
  EXPECT_TRUE(row->simulated);
  ASSERT_TRUE(row->energy && row->time && row->power_mean);
  EXPECT_LE(*row->power_mean, *row->power_max * 1.001);
  EXPECT_TRUE(world.is_free());
}

TEST(FakeGpuSweep, AClockChangeByAnotherProcessInvalidatesTheRun) {
  Sweeping world(R"("devices": ["v100"])");
  world.settings.duration = Seconds{6};
  // It has another state folder, so the lease does not exclude it.
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    const auto ran =
        test::run_shell(std::string(ERGON_PROGRAMS) +
                            "/ergon measure --clock 1200MHz --allow-control -- sleep 0.3 >/dev/null",
                        ".", {{"ERGON_STATE", test::TemporaryFolder().path() / "other"}});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  });
  const auto row = world.run({"resnet18", 8, sweep::Scenario::steady, kLow, 1});
  other.join();
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_FALSE(row->valid);
  EXPECT_NE(std::find(row->reasons.begin(), row->reasons.end(), "clock_changed"), row->reasons.end());
  ASSERT_TRUE(row->clock_observed);
  EXPECT_GE(*row->clock_observed, Hertz{1100e6});
  EXPECT_TRUE(world.is_free());
}

TEST(FakeGpuSweep, ARefusedClockGivesAnInvalidRow) {
  Sweeping world(R"("devices": ["v100"], "faults": [{"fault": "fails", "result": "invalid_argument",
                                                     "function": "nvmlDeviceSetGpuLockedClocks"}])");
  const auto row = world.run({"resnet18", 8, sweep::Scenario::steady, kLow, 1});
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(row->reasons, Reasons{"clock_refused"});
  EXPECT_FALSE(row->time);
}

TEST(FakeGpuSweep, WithoutPermissionTheErrorNamesTheAlternative) {
  Sweeping world(R"("devices": ["v100"], "permissions": "none")");
  const auto row = world.run({"resnet18", 8, sweep::Scenario::steady, kLow, 1});
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().kind, Errc::permission);
  EXPECT_NE(row.error().message.find("--clocks default"), std::string::npos) << row.error().message;
  const auto own = world.run({"resnet18", 8, sweep::Scenario::steady, std::nullopt, 1});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_TRUE(own->valid);
}

}  // namespace
}  // namespace ergon::app
