#include "service/metrics/gpu_reading.h"

#include <gtest/gtest.h>

#include "service/metrics/scripted_device.h"

namespace ergon::service {
namespace {

using namespace literals;
using device::EventReasons;
using test::ScriptedDevice;

TEST(GpuReading, ReadsAllValues) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  gpu.instant = 251_W;
  gpu.energy = 1234_J;
  gpu.core = 1380_MHz;
  gpu.memory_hertz = 877_MHz;
  gpu.chip = 55_degC;
  gpu.stacks = 61_degC;
  gpu.use = device::GpuUtilization{0.75, 0.5};
  gpu.bytes = device::MemoryUse{32_GiB, 4_GiB};
  gpu.limits = device::PowerLimits{200_W, 250_W, 100_W, 300_W};
  gpu.reasons = EventReasons(EventReasons::kPowerCap);
  const GpuReading reading = read(gpu, Timestamp{42});
  EXPECT_TRUE(reading.responding);
  EXPECT_EQ(reading.identity.uuid, "GPU-1");
  EXPECT_FALSE(reading.simulated);
  EXPECT_EQ(reading.at, Timestamp{42});
  EXPECT_EQ(reading.power, 251_W);
  EXPECT_EQ(reading.energy, 1234_J);
  EXPECT_EQ(reading.core_clock, 1380_MHz);
  EXPECT_EQ(reading.memory_clock, 877_MHz);
  EXPECT_EQ(reading.temperature, 55_degC);
  EXPECT_EQ(reading.memory_temperature, 61_degC);
  EXPECT_EQ(reading.utilization->compute, 0.75);
  EXPECT_EQ(reading.memory->used, 4_GiB);
  EXPECT_EQ(reading.power_limit, 200_W);
  EXPECT_EQ(reading.event_reasons, EventReasons(EventReasons::kPowerCap));
}

// What no working sensor reports is omitted and counted.
TEST(GpuReading, OmitsImplausibleValues) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  gpu.instant = 451_W;
  gpu.limits = device::PowerLimits{200_W, 250_W, 100_W, 300_W};
  gpu.energy = 1234_J;
  gpu.core = Hertz{4.3e15};
  gpu.memory_hertz = 877_MHz;
  gpu.chip = Celsius{4294967295.0};
  gpu.stacks = 61_degC;
  gpu.use = device::GpuUtilization{42.9, 0.5};
  gpu.bytes = device::MemoryUse{32_GiB, 33_GiB};
  const GpuReading reading = read(gpu, Timestamp{42});
  EXPECT_TRUE(reading.responding);
  EXPECT_EQ(reading.implausible, 5);
  EXPECT_FALSE(reading.power || reading.core_clock || reading.temperature || reading.utilization ||
               reading.memory);
  EXPECT_EQ(reading.energy, 1234_J);
  EXPECT_EQ(reading.memory_clock, 877_MHz);
  EXPECT_EQ(reading.memory_temperature, 61_degC);
  // A board exceeds its limit for a moment.
  gpu.instant = 450_W;
  EXPECT_EQ(read(gpu, Timestamp{43}).power, 450_W);
}

TEST(GpuReading, PrefersTheNewestPowerField) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  gpu.average = 1_W;
  EXPECT_EQ(read(gpu, {}).power, 1_W);
  gpu.samples = 2_W;
  EXPECT_EQ(read(gpu, {}).power, 2_W);
  gpu.usage = 3_W;
  EXPECT_EQ(read(gpu, {}).power, 3_W);
  gpu.instant = 4_W;
  EXPECT_EQ(read(gpu, {}).power, 4_W);
}

TEST(GpuReading, ReadsOnlySupportedValues) {
  ScriptedDevice gpu;
  gpu.can.power = {device::PowerField::usage};
  gpu.usage = 90_W;
  gpu.instant = 91_W;
  gpu.energy = 5_J;
  const GpuReading reading = read(gpu, {});
  EXPECT_EQ(gpu.questions, 1);
  EXPECT_EQ(reading.power, 90_W);
  EXPECT_FALSE(reading.energy);
}

TEST(GpuReading, FailedValuesAreEmpty) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  gpu.chip = 0_degC;
  const GpuReading reading = read(gpu, {});
  EXPECT_TRUE(reading.responding);
  EXPECT_EQ(reading.temperature, 0_degC);
  EXPECT_FALSE(reading.power || reading.energy || reading.core_clock || reading.memory_clock ||
               reading.memory_temperature || reading.utilization || reading.memory || reading.power_limit ||
               reading.event_reasons);
}

TEST(GpuReading, ADeviceWithoutValuesIsNotResponding) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  EXPECT_FALSE(read(gpu, {}).responding);
}

TEST(GpuReading, ALostDeviceIsEmptyAndReadingStops) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  gpu.trouble = Errc::device_lost;
  gpu.use = device::GpuUtilization{1, 1};
  const GpuReading reading = read(gpu, Timestamp{7});
  EXPECT_FALSE(reading.responding);
  EXPECT_FALSE(reading.utilization);
  EXPECT_EQ(gpu.questions, 1);
  EXPECT_EQ(reading.identity.uuid, "GPU-1");
  EXPECT_EQ(reading.at, Timestamp{7});
}

TEST(GpuReading, ADeviceLostWhileReadingIsEmpty) {
  ScriptedDevice gpu;
  gpu.can = ScriptedDevice::all_capabilities();
  gpu.instant = 200_W;
  gpu.lost_at_temperature = true;
  const GpuReading reading = read(gpu, {});
  EXPECT_FALSE(reading.responding);
  EXPECT_FALSE(reading.power);
}

}  // namespace
}  // namespace ergon::service
