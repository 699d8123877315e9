#include <algorithm>
#include <chrono>
#include <csignal>
#include <ergon/device.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "support.h"

namespace ergon::test {
namespace {

using namespace literals;

constexpr const char* kBusyH200 =
    R"("devices": ["h200"], "background": [{"gpu": 0, "network": "resnet50", "batch": 64}])";

Device only_gpu() {
  const auto gpus = select_devices({"gpu0"});
  if (!gpus) ADD_FAILURE() << gpus.error().message;
  return gpus->front();
}

TEST(ApiDevice, ReadsAGpu) {
  const FakeDriver driver(kBusyH200);
  const auto found = find_devices();
  ASSERT_FALSE(found.devices.empty());
  const Device gpu = found.devices.front();
  EXPECT_EQ(gpu.identity().id, "gpu0");
  EXPECT_EQ(gpu.identity().kind, DeviceKind::gpu);
  EXPECT_TRUE(gpu.identity().simulated);
  EXPECT_NE(gpu.identity().name.find("H200"), std::string::npos);
  EXPECT_TRUE(gpu.capabilities().energy_counter);
  EXPECT_TRUE(gpu.capabilities().lock_core_clock);

  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the sensor lags
  EXPECT_GT(gpu.power().value(), 100_W);
  for (const PowerField field : gpu.capabilities().power) EXPECT_TRUE(gpu.power(field)) << name_of(field);
  EXPECT_TRUE(gpu.energy_counter());
  EXPECT_GT(gpu.core_clock().value(), 300_MHz);
  EXPECT_GT(gpu.temperature().value(), 20_degC);
  const auto clocks = gpu.supported_core_clocks();
  ASSERT_TRUE(clocks);
  EXPECT_TRUE(std::is_sorted(clocks->begin(), clocks->end()));
  const auto limits = gpu.power_limits();
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->current, 700_W);
  EXPECT_GT(gpu.memory()->total, 100_GiB);
  EXPECT_GT(gpu.utilization()->compute, 0.5);
  EXPECT_TRUE(gpu.processes());
  EXPECT_TRUE(gpu.event_reasons());
}

TEST(ApiDevice, StaysOpenWhileAHandleExists) {
  const FakeDriver driver(kBusyH200);
  const Device gpu = only_gpu();
  const Device copy = gpu;
  EXPECT_TRUE(copy.power());
  EXPECT_EQ(copy.run(*Network::load("resnet18"), 1).error().kind, Errc::unsupported);
}

TEST(ApiDevice, SaysWhatIsMissing) {
  const FakeDriver driver(R"("devices": ["v100"])");
  const auto unknown = select_devices({"gpu7"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, Errc::unknown_name);
}

TEST(ApiDevice, LeaseChangesAndRestores) {
  const FakeDriver driver(kBusyH200);
  const Device gpu = only_gpu();
  auto lease = Lease::acquire(gpu, ControlAllowed::by_user());
  ASSERT_TRUE(lease) << lease.error().message;
  ASSERT_TRUE(lease->lock_core_clock(900_MHz));
  ASSERT_TRUE(lease->set_power_limit(400_W));
  EXPECT_EQ(FakeDriver::clocks().core_max, 900u);
  EXPECT_EQ(gpu.power_limits()->current, 400_W);
  EXPECT_EQ(lease->set_power_limit(5_W).error().kind, Errc::invalid_input);

  const auto second = Lease::acquire(gpu, ControlAllowed::by_user());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Errc::busy);

  const RestoreResult restored = lease->release();
  EXPECT_TRUE(restored.complete);
  EXPECT_TRUE(restored.failures.empty());
  EXPECT_EQ(FakeDriver::clocks().core_max, 0u);
  EXPECT_EQ(gpu.power_limits()->current, 700_W);
  EXPECT_EQ(lease->set_power_limit(500_W).error().kind, Errc::cancelled);
}

TEST(ApiDevice, LeaseRestoresWhenItIsDestroyed) {
  const FakeDriver driver(kBusyH200);
  const Device gpu = only_gpu();
  {
    auto lease = Lease::acquire(gpu, ControlAllowed::by_user());
    ASSERT_TRUE(lease);
    Lease moved = std::move(*lease);
    ASSERT_TRUE(moved.set_power_limit(400_W));
    EXPECT_EQ(gpu.power_limits()->current, 400_W);
  }
  EXPECT_EQ(gpu.power_limits()->current, 700_W);
}

TEST(ApiDevice, KilledLeaseIsRestoredByTheNextProgram) {
  const FakeDriver driver(kBusyH200);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto gpus = select_devices({"gpu0"});
    if (!gpus) ::_exit(1);
    auto lease = Lease::acquire(gpus->front(), ControlAllowed::by_user());
    if (!lease || !lease->set_power_limit(400_W)) ::_exit(2);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto found = find_devices();
  ASSERT_FALSE(found.devices.empty());
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("power_limit restored to 700 W"), std::string::npos) << found.notes[0];
  EXPECT_EQ(found.devices.front().power_limits()->current, 700_W);
}

TEST(ApiDevice, TwinsRunInRealTime) {
  const auto names = twin_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "h200"), names.end());
  const auto twin = Device::twin("a30");
  ASSERT_TRUE(twin) << twin.error().message;
  EXPECT_EQ(twin->identity().kind, DeviceKind::twin);
  EXPECT_TRUE(twin->identity().simulated);
  EXPECT_FALSE(twin->capabilities().set_power_limit);
  EXPECT_EQ(Lease::acquire(*twin, ControlAllowed::by_user()).error().kind, Errc::unsupported);
  const auto idle = twin->core_clock();
  ASSERT_TRUE(twin->run(*Network::load("resnet50"), 32));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_GT(*twin->core_clock(), *idle);
  EXPECT_GT(*twin->power(), 60_W);
  EXPECT_GT(twin->memory()->used, 100_MiB);
  ASSERT_TRUE(twin->stop());
  EXPECT_EQ(twin->memory()->used, 0_B);
  EXPECT_EQ(twin->run(*Network::load("resnet50"), 1 << 20).error().kind, Errc::out_of_memory);
  EXPECT_EQ(twin->memory_clock().error().kind, Errc::unsupported);
  EXPECT_EQ(Device::twin("h20O").error().kind, Errc::unknown_name);
}

}  // namespace
}  // namespace ergon::test
