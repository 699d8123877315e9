// Setting clocks and limits: support by generation, permissions, effects.

#include "machine.h"

namespace ergon::test {
namespace {

// Manual time makes the results exact.
Machine of(const std::string& twin, const std::string& more = "") {
  return Machine(R"({"time": "manual", "devices": [")" + twin + "\"]" + more + "}");
}

TEST(FakeNvmlControls, LocksAndUnlocksTheClock) {
  const Machine machine = of("h200");
  const ErgonFakeNvmlLoad load = resnet();
  ASSERT_EQ(OWN(run)(0, &load), 0);
  OWN(advance)(1);
  const unsigned free_mhz = machine.core_mhz();
  const double free_watts = machine.truth().watts;
  EXPECT_GT(free_mhz, 1200U);

  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 345, 1200), Return::success);
  OWN(advance)(1);
  EXPECT_EQ(machine.core_mhz(), 1200U);
  EXPECT_LT(machine.truth().watts, free_watts);
  ErgonFakeNvmlClocks set{};
  EXPECT_EQ(OWN(clocks)(0, &set), 0);
  EXPECT_EQ(set.core_min, 345U);
  EXPECT_EQ(set.core_max, 1200U);

  EXPECT_EQ(NVML(DeviceResetGpuLockedClocks)(machine.device()), Return::success);
  OWN(advance)(1);
  EXPECT_EQ(machine.core_mhz(), free_mhz);
  EXPECT_EQ(OWN(clocks)(0, &set), 0);
  EXPECT_EQ(set.core_max, 0U);
}

// Steps of 7.5 MHz are reported as whole MHz, and each reported clock can be locked.
TEST(FakeNvmlControls, EveryReportedClockCanBeLocked) {
  const Machine machine = of("v100");
  const ErgonFakeNvmlLoad load = resnet();
  ASSERT_EQ(OWN(run)(0, &load), 0);
  unsigned clocks[300], count = 300;
  ASSERT_EQ(NVML(DeviceGetSupportedGraphicsClocks)(machine.device(), 877, &count, clocks), Return::success);
  EXPECT_EQ(clocks[1], 1372U);
  for (unsigned i = 0; i < count; i += 7) {
    ASSERT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), clocks[i], clocks[i]), Return::success);
    OWN(advance)(0.1);
    EXPECT_EQ(machine.core_mhz(), clocks[i]);
  }
}

TEST(FakeNvmlControls, ClampsRangesAndRejectsInvalidOnes) {
  const Machine machine = of("h200");
  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 1200, 900), Return::invalid_argument);
  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 0, 0), Return::invalid_argument);
  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 100, 5000), Return::success);
  ErgonFakeNvmlClocks set{};
  EXPECT_EQ(OWN(clocks)(0, &set), 0);
  EXPECT_EQ(set.core_min, 345U);
  EXPECT_EQ(set.core_max, 1980U);
}

TEST(FakeNvmlControls, AMemoryLockIsRecorded) {
  const Machine machine = of("h200");
  EXPECT_EQ(NVML(DeviceSetMemoryLockedClocks)(machine.device(), 2201, 2201), Return::success);
  ErgonFakeNvmlClocks set{};
  EXPECT_EQ(OWN(clocks)(0, &set), 0);
  EXPECT_EQ(set.memory_max, 2201U);
  EXPECT_EQ(NVML(DeviceResetMemoryLockedClocks)(machine.device()), Return::success);
  EXPECT_EQ(OWN(clocks)(0, &set), 0);
  EXPECT_EQ(set.memory_max, 0U);
}

TEST(FakeNvmlControls, ALimitLowersPowerAndReportsTheReason) {
  const Machine machine = of("h200");
  const ErgonFakeNvmlLoad load = resnet();
  ASSERT_EQ(OWN(run)(0, &load), 0);
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 300'000), Return::success);
  OWN(advance)(3);
  EXPECT_LE(machine.truth().watts, 305);
  unsigned limit = 0;
  EXPECT_EQ(NVML(DeviceGetEnforcedPowerLimit)(machine.device(), &limit), Return::success);
  EXPECT_EQ(limit, 300'000U);
  unsigned long long reasons = 0;
  EXPECT_EQ(NVML(DeviceGetCurrentClocksEventReasons)(machine.device(), &reasons), Return::success);
  EXPECT_EQ(reasons, nvml::event_reason::kSwPowerCap);

  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 199'000), Return::invalid_argument);
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 700'001), Return::invalid_argument);
  nvml::PowerValue value{nvml::version_of<nvml::PowerValue>(2), nvml::field::kScopeGpu, 400'000};
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit_v2)(machine.device(), &value), Return::success);
  EXPECT_EQ(NVML(DeviceGetPowerManagementLimit)(machine.device(), &limit), Return::success);
  EXPECT_EQ(limit, 400'000U);
  value.version = 1;
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit_v2)(machine.device(), &value),
            Return::argument_version_mismatch);
}

struct Generation {
  const char* twin;
  Return core, memory, application;
};

TEST(FakeNvmlControls, GenerationsHaveDifferentControls) {
  constexpr auto kYes = Return::success, kNo = Return::not_supported;
  for (const Generation& each : {Generation{"p40", kNo, kNo, kYes},
                                 {"v100", kYes, kNo, kYes},
                                 {"rtx6000", kYes, kNo, kYes},
                                 {"rtx2080ti", kYes, kNo, kNo},
                                 {"a100-sxm-80", kYes, kYes, kYes},
                                 {"h200", kYes, kYes, kNo}}) {
    const Machine machine = of(each.twin);
    unsigned memory = 0, core = 0;
    NVML(DeviceGetMaxClockInfo)(machine.device(), nvml::ClockType::memory, &memory);
    NVML(DeviceGetMaxClockInfo)(machine.device(), nvml::ClockType::sm, &core);
    EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), core, core), each.core) << each.twin;
    EXPECT_EQ(NVML(DeviceResetGpuLockedClocks)(machine.device()), each.core) << each.twin;
    EXPECT_EQ(NVML(DeviceSetMemoryLockedClocks)(machine.device(), memory, memory), each.memory) << each.twin;
    EXPECT_EQ(NVML(DeviceSetApplicationsClocks)(machine.device(), memory, core), each.application)
        << each.twin;
    EXPECT_EQ(NVML(DeviceResetApplicationsClocks)(machine.device()), each.application) << each.twin;
  }
}

TEST(FakeNvmlControls, ApplicationClocksLowerTheClock) {
  const Machine machine = of("p40");
  const ErgonFakeNvmlLoad load = resnet(16);
  ASSERT_EQ(OWN(run)(0, &load), 0);
  unsigned clocks[300], count = 300;
  ASSERT_EQ(NVML(DeviceGetSupportedGraphicsClocks)(machine.device(), 3615, &count, clocks), Return::success);
  EXPECT_EQ(NVML(DeviceSetApplicationsClocks)(machine.device(), 3615, clocks[20]), Return::success);
  EXPECT_EQ(NVML(DeviceSetApplicationsClocks)(machine.device(), 3615, clocks[20] + 1),
            Return::invalid_argument);
  OWN(advance)(1);
  EXPECT_EQ(machine.core_mhz(), clocks[20]);
  unsigned set = 0;
  EXPECT_EQ(NVML(DeviceGetApplicationsClock)(machine.device(), nvml::ClockType::graphics, &set),
            Return::success);
  EXPECT_EQ(set, clocks[20]);
  EXPECT_EQ(NVML(DeviceGetDefaultApplicationsClock)(machine.device(), nvml::ClockType::graphics, &set),
            Return::success);
  EXPECT_EQ(set, clocks[0]);
}

TEST(FakeNvmlControls, ChecksThePermissionOfEachControl) {
  {
    const Machine machine = of("h200", R"(, "permissions": "none")");
    EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 300'000), Return::no_permission);
    EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 900, 900), Return::no_permission);
    EXPECT_EQ(NVML(DeviceResetGpuLockedClocks)(machine.device()), Return::no_permission);
    EXPECT_EQ(NVML(DeviceSetPersistenceMode)(machine.device(), nvml::EnableState::disabled),
              Return::no_permission);
    EXPECT_GT(machine.power_mw(), 0U);
  }
  const Machine machine = of("h200", R"(, "permissions": ["power_limit"])");
  EXPECT_EQ(NVML(DeviceSetPowerManagementLimit)(machine.device(), 300'000), Return::success);
  EXPECT_EQ(NVML(DeviceSetGpuLockedClocks)(machine.device(), 900, 900), Return::no_permission);
}

}  // namespace
}  // namespace ergon::test
