// Leases on GPUs through NVML.

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device/lease/lease.h"
#include "device/nvml/abi.h"
#include "device/nvml/fake_machine.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;
using test::FakeMachine;
using test::one_gpu;

ClockRange at(Hertz clock) { return {clock, clock}; }

// A machine, its only GPU and a lease on it.
class NvmlControls : public testing::Test {
 protected:
  void start(const std::string& scenario, FakeMachine::Driver driver = FakeMachine::Driver::current) {
    machine_.emplace(scenario, driver);
    auto found = machine_->find();
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->devices.size(), 1u);
    gpu_ = std::move(found->devices[0]);
  }
  Result<Lease> lease() {
    return Lease::acquire(*gpu_, {machine_->folder() / "leases", "this boot"}, ControlAllowed::by_user());
  }
  void set_application_clocks(unsigned memory_mhz, unsigned core_mhz) {
    nvml::DeviceHandle handle = nullptr;
    using nvml::Return;
    ASSERT_EQ(machine_->call<nvml::DeviceGetHandleByIndex>("nvmlDeviceGetHandleByIndex", 0U, &handle),
              Return::success);
    ASSERT_EQ(machine_->call<nvml::DeviceSetApplicationsClocks>("nvmlDeviceSetApplicationsClocks", handle,
                                                                memory_mhz, core_mhz),
              Return::success);
  }
  Hertz clock_number(std::size_t i) { return gpu_->supported_clocks(ClockDomain::core)->at(i); }
  static unsigned mhz(Hertz clock) { return static_cast<unsigned>(clock.si() / 1e6); }

  std::optional<FakeMachine> machine_;
  std::unique_ptr<Device> gpu_;
};

TEST_F(NvmlControls, APowerLimitIsSetAndRestored) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("h200")));
  const PowerLimits before = *gpu_->power_limits();
  {
    auto held = lease();
    ASSERT_TRUE(held) << held.error().message;
    const auto set = held->set_power_limit(400.5_W);
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(gpu_->power_limits()->current, 400.5_W);
    EXPECT_TRUE(held->release().failed.empty());
  }
  EXPECT_EQ(gpu_->power_limits()->current, before.current);
}

TEST_F(NvmlControls, RejectsAnUnsupportedPowerLimit) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("h200")));
  auto held = lease();
  ASSERT_TRUE(held);
  for (const Watts limit : {100_W, 900_W}) {
    const auto set = held->set_power_limit(limit);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().kind, Errc::invalid_input);
    EXPECT_NE(set.error().message.find("gpu0 (NVIDIA H200) supports power limits from 200 W to 700 W, not "),
              std::string::npos)
        << set.error().message;
  }
  EXPECT_TRUE(held->requested().empty());
}

TEST_F(NvmlControls, LocksAndUnlocksClocks) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("h200")));
  const Hertz low = clock_number(3), high = clock_number(20);
  auto held = lease();
  ASSERT_TRUE(held);
  ASSERT_TRUE(held->lock_clocks(ClockDomain::core, {low, high}));
  ASSERT_TRUE(held->lock_clocks(ClockDomain::memory, at(2201_MHz)));
  EXPECT_EQ(machine_->clocks(0).core_min, mhz(low));
  EXPECT_EQ(machine_->clocks(0).core_max, mhz(high));
  EXPECT_EQ(machine_->clocks(0).memory_max, 2201u);
  machine_->run(0, "resnet50", 64);
  machine_->advance(5);
  EXPECT_EQ(*gpu_->clock(ClockDomain::core), high);
  EXPECT_TRUE(held->release().failed.empty());
  EXPECT_EQ(machine_->clocks(0).core_max, 0u);
  EXPECT_EQ(machine_->clocks(0).memory_max, 0u);
}

TEST_F(NvmlControls, RejectsAnUnsupportedClockAndNamesTheNearest) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("h200")));
  auto held = lease();
  ASSERT_TRUE(held);
  const auto locked = held->lock_clocks(ClockDomain::core, at(clock_number(10) + 1_MHz));
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().kind, Errc::invalid_input);
  EXPECT_NE(locked.error().message.find(fmt::format("the nearest are {} MHz and {} MHz",
                                                    mhz(clock_number(10)), mhz(clock_number(11)))),
            std::string::npos)
      << locked.error().message;
  EXPECT_EQ(machine_->clocks(0).core_max, 0u);
  // A fraction of a MHz is rounded.
  ASSERT_TRUE(held->lock_clocks(ClockDomain::core, at(clock_number(10) + Hertz{1.5e6})));
  EXPECT_EQ(machine_->clocks(0).core_max, mhz(clock_number(10)));
}

TEST_F(NvmlControls, ReportsMissingPermission) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("h200", R"(, "permissions": "none")")));
  auto held = lease();
  ASSERT_TRUE(held);
  const auto limited = held->set_power_limit(400_W);
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().kind, Errc::permission);
  EXPECT_NE(
      limited.error().message.find("setting the power limit of gpu0 (NVIDIA H200): Insufficient Permissions"),
      std::string::npos)
      << limited.error().message;
  EXPECT_EQ(held->lock_clocks(ClockDomain::core, at(clock_number(5))).error().kind, Errc::permission);
  EXPECT_TRUE(held->release().failed.empty());
}

TEST_F(NvmlControls, ReportsALostGpu) {
  ASSERT_NO_FATAL_FAILURE(
      start(one_gpu("h200", R"(, "faults": [{"fault": "lost", "gpu": 0, "from": "5s"}])")));
  auto held = lease();
  ASSERT_TRUE(held);
  ASSERT_TRUE(held->set_power_limit(400_W));
  machine_->advance(6);
  EXPECT_EQ(held->set_power_limit(500_W).error().kind, Errc::device_lost);
  EXPECT_EQ(held->release().failed.size(), 1u);
}

// Pascal has no locked clocks; old drivers do not export the calls.
TEST_F(NvmlControls, UsesApplicationClocksWithoutLocks) {
  for (const auto driver : {FakeMachine::Driver::current, FakeMachine::Driver::old}) {
    ASSERT_NO_FATAL_FAILURE(start(one_gpu("p40"), driver));
    const Hertz low = clock_number(3), high = clock_number(20);
    auto held = lease();
    ASSERT_TRUE(held);
    ASSERT_TRUE(held->lock_clocks(ClockDomain::core, {low, high}));
    EXPECT_EQ(machine_->clocks(0).core_max, 0u);
    EXPECT_EQ(machine_->clocks(0).application_core, mhz(high));
    EXPECT_EQ(machine_->clocks(0).application_memory, 3615u);
    EXPECT_EQ(held->requested().at(0).before, ControlValue{});
    EXPECT_TRUE(held->release().failed.empty());
    EXPECT_EQ(machine_->clocks(0).application_core, 0u);
    gpu_.reset();
    machine_.reset();
  }
}

TEST_F(NvmlControls, RestoresApplicationClocksOfAnotherProgram) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("p40")));
  const Hertz theirs = clock_number(7);
  ASSERT_NO_FATAL_FAILURE(set_application_clocks(3615, mhz(theirs)));
  auto held = lease();
  ASSERT_TRUE(held);
  ASSERT_TRUE(held->lock_clocks(ClockDomain::core, at(clock_number(20))));
  EXPECT_EQ(held->requested().at(0).before->clocks, at(theirs));
  EXPECT_TRUE(held->release().failed.empty());
  EXPECT_EQ(machine_->clocks(0).application_core, mhz(theirs));
}

TEST_F(NvmlControls, FallsBackToApplicationClocksWhenLocksAreUnsupported) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("a100-sxm-80", R"(, "faults": [
      {"fault": "fails", "function": "nvmlDeviceSetGpuLockedClocks", "result": "not_supported"}])")));
  ASSERT_TRUE(gpu_->capabilities().lock_core_clock);
  auto held = lease();
  ASSERT_TRUE(held);
  ASSERT_TRUE(held->lock_clocks(ClockDomain::core, at(clock_number(20))));
  EXPECT_EQ(machine_->clocks(0).application_core, mhz(clock_number(20)));
  EXPECT_TRUE(held->release().failed.empty());
  EXPECT_EQ(machine_->clocks(0).application_core, 0u);
}

TEST_F(NvmlControls, ClocksAreUnsupportedWithoutLocksAndApplicationClocks) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("rtx2080ti")));
  EXPECT_FALSE(gpu_->capabilities().application_clocks);
  auto held = lease();
  ASSERT_TRUE(held);
  EXPECT_EQ(held->lock_clocks(ClockDomain::memory, at(*gpu_->clock(ClockDomain::memory))).error().kind,
            Errc::unsupported);
  EXPECT_TRUE(held->lock_clocks(ClockDomain::core, at(clock_number(20))));
}

TEST_F(NvmlControls, AGpuWithoutControlsCannotBeLeased) {
  ASSERT_NO_FATAL_FAILURE(start(one_gpu("rtx2080ti", R"(, "absent": ["nvmlDeviceGetPowerManagementLimit"])"),
                                FakeMachine::Driver::old));
  EXPECT_EQ(lease().error().kind, Errc::unsupported);
}

}  // namespace
}  // namespace ergon::device
