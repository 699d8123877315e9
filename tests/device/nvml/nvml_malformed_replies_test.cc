// Unusual replies of drivers, known or possible. Functions replace NVML; no library is loaded.

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "device/nvml/clocks.h"
#include "device/nvml/field_value.h"
#include "device/nvml/power.h"
#include "device/nvml/processes.h"
#include "device/nvml/state.h"

namespace ergon::device::nvml {
namespace {

using namespace ergon::literals;

Gpu gpu_with(const Functions& functions) { return {Library::of(functions), nullptr, "gpu0 (a GPU)"}; }

template <typename T>
Errc kind_of(const Result<T>& result) {
  EXPECT_FALSE(result);
  return result ? Errc::cancelled : result.error().kind;
}

TEST(NvmlMalformedReplies, MissingFunctionsAreUnsupported) {
  const Gpu gpu = gpu_with({});
  for (const PowerField field :
       {PowerField::usage, PowerField::average, PowerField::instant, PowerField::samples}) {
    EXPECT_EQ(kind_of(power(gpu, field)), Errc::unsupported);
  }
  EXPECT_EQ(kind_of(power_samples(gpu, {})), Errc::unsupported);
  EXPECT_EQ(kind_of(energy_mj(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(power_limits(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(clock(gpu, ClockDomain::core)), Errc::unsupported);
  EXPECT_EQ(kind_of(supported_core_mhz(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(temperature(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(memory_temperature(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(utilization(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(memory_use(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(event_reasons(gpu)), Errc::unsupported);
  EXPECT_EQ(kind_of(processes(gpu)), Errc::unsupported);
  EXPECT_EQ(power(gpu, PowerField::usage).error().message,
            "power usage of gpu0 (a GPU): not supported by this driver");
}

TEST(NvmlMalformedReplies, ZeroWattsIsUnsupported) {
  const Gpu gpu = gpu_with(
      {.power_usage = [](DeviceHandle, unsigned* power_mw) { return *power_mw = 0, Return::success; }});
  EXPECT_EQ(kind_of(power(gpu, PowerField::usage)), Errc::unsupported);
}

TEST(NvmlMalformedReplies, ReadsEveryValueType) {
  EXPECT_EQ(number_in({.float64 = 1.5}, ValueType::float64), 1.5);
  EXPECT_EQ(number_in({.uint32 = 4'000'000'000}, ValueType::uint32), 4e9);
  EXPECT_EQ(number_in({.unsigned_long = 7}, ValueType::unsigned_long), 7);
  EXPECT_EQ(number_in({.uint64 = 1ULL << 40U}, ValueType::uint64), 0x1p40);
  EXPECT_EQ(number_in({.int64 = -3}, ValueType::int64), -3);
  EXPECT_EQ(number_in({.int32 = -4}, ValueType::int32), -4);
  EXPECT_EQ(number_in({.uint16 = 65535}, ValueType::uint16), 65535);
  EXPECT_EQ(number_in({.uint64 = 0}, static_cast<ValueType>(99)), std::nullopt);
}

TEST(NvmlMalformedReplies, EachFieldHasItsOwnStatus) {
  // The call succeeds even if values fail.
  const Gpu gpu = gpu_with({.field_values = [](DeviceHandle, int count, FieldValue* values) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(values->scope, field::kScopeGpu);
    switch (values->field) {
      case field::kPowerInstant:
        values->status = Return::success;
        values->value_type = ValueType::uint64;
        values->value.uint64 = 250'500;
        break;
      case field::kPowerAverage:
        values->status = Return::invalid_argument;
        break;
      case field::kMemoryTemperature:
        values->status = Return::success;
        values->value_type = ValueType::uint32;
        values->value.uint64 = 0;
        break;
      case 1000:
        values->status = Return::gpu_is_lost;
        break;
      case 1001:
        values->status = Return::success;
        values->value_type = static_cast<ValueType>(99);
        break;
      default:
        break;
    }
    return Return::success;
  }});
  EXPECT_EQ(*power(gpu, PowerField::instant), 250.5_W);
  EXPECT_EQ(kind_of(power(gpu, PowerField::average)), Errc::unsupported);  // the driver lacks this field
  EXPECT_EQ(kind_of(memory_temperature(gpu)), Errc::unsupported);          // 0 degrees means no sensor
  EXPECT_EQ(kind_of(field_value(gpu, 1000, "x")), Errc::device_lost);
  EXPECT_EQ(kind_of(field_value(gpu, 1001, "x")), Errc::unsupported);
  EXPECT_EQ(kind_of(field_value(gpu, 1002, "x")), Errc::unsupported);  // status not set by the driver
}

// Samples newer than requested, as NVML returns them, but out of order and of another value type.
Return shuffled_samples(DeviceHandle, SamplingType what, unsigned long long last_seen_us, ValueType* type,
                        unsigned* count, Sample* samples) {
  EXPECT_EQ(what, SamplingType::total_power);
  if (samples == nullptr) return *count = 120, Return::success;
  EXPECT_EQ(*count, 120u);
  *type = ValueType::float64;
  *count = 0;
  for (const auto& [at_us, mw] : {std::pair{3000ULL, 70'000.0}, {1000ULL, 50'000.0}, {2000ULL, 60'500.5}}) {
    if (at_us <= last_seen_us) continue;
    samples[*count].timestamp_us = at_us;
    samples[(*count)++].value.float64 = mw;
  }
  return *count > 0 ? Return::success : Return::not_found;
}

TEST(NvmlMalformedReplies, SortsSamples) {
  const Gpu gpu = gpu_with({.samples = shuffled_samples});
  const auto all = power_samples(gpu, {});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ((*all)[0].at, Timestamp{1'000'000});
  EXPECT_DOUBLE_EQ((*all)[1].power.si(), 60.5005);
  EXPECT_EQ((*all)[2].at, Timestamp{3'000'000});
  EXPECT_EQ(*power(gpu, PowerField::samples), 70_W);
}

TEST(NvmlMalformedReplies, SamplesAreNewerThanRequested) {
  const Gpu gpu = gpu_with({.samples = shuffled_samples});
  // NVML counts microseconds: the request is rounded down, so that no sample is missed.
  EXPECT_EQ(power_samples(gpu, Timestamp{1'999'999})->size(), 2u);
  EXPECT_EQ(power_samples(gpu, Timestamp{2'000'000})->size(), 1u);
  EXPECT_EQ(power_samples(gpu, Timestamp{2'000'001})->size(), 1u);
  const auto none = power_samples(gpu, Timestamp{3'000'000});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(power_samples(gpu, Timestamp{-5})->size(), 3u);
}

TEST(NvmlMalformedReplies, ClocksFallBackFromSmToGraphics) {
  const Gpu gpu = gpu_with({.clock = [](DeviceHandle, ClockType type, unsigned* mhz) {
    if (type == ClockType::sm) return Return::not_supported;
    return *mhz = type == ClockType::graphics ? 1000 : 5000, Return::success;
  }});
  EXPECT_EQ(*clock(gpu, ClockDomain::core), 1000_MHz);
  EXPECT_EQ(*clock(gpu, ClockDomain::memory), 5000_MHz);
}

TEST(NvmlMalformedReplies, FallsBackBetweenOlderAndNewerCalls) {
  const Gpu older = gpu_with({
      .memory =
          [](DeviceHandle, Memory* memory) {
            return *memory = {1000, 400, 600}, Return::success;
          },
      .memory_v2 = [](DeviceHandle, MemoryV2*) { return Return::argument_version_mismatch; },
  });
  EXPECT_EQ(memory_use(older)->used, 600_B);
  const Gpu newer = gpu_with({
      .temperature_versioned =
          [](DeviceHandle, Temperature* reading) {
            EXPECT_EQ(reading->version, 0x0100000cU);
            return reading->degrees = -2, Return::success;
          },
      .memory_v2 =
          [](DeviceHandle, MemoryV2* memory) {
            EXPECT_EQ(memory->version, 0x02000028U);
            memory->total = 1000;
            memory->reserved = 100;
            return memory->used = 500, Return::success;
          },
  });
  EXPECT_EQ(memory_use(newer)->used, 500_B);
  EXPECT_EQ(*temperature(newer), Celsius{-2});
}

TEST(NvmlMalformedReplies, ListsMayGrowBetweenCalls) {
  static unsigned length;
  length = 3;
  const Gpu gpu = gpu_with({.supported_memory_clocks = [](DeviceHandle, unsigned* count, unsigned* mhz) {
    const bool fits = *count >= length;
    for (unsigned i = 0; fits && i < length; ++i) mhz[i] = 1000 * (length - i);
    *count = length;
    if (!fits) length += 10;
    return fits ? Return::success : Return::insufficient_size;
  }});
  const auto clocks = supported_memory_mhz(gpu);
  ASSERT_TRUE(clocks) << clocks.error().message;
  EXPECT_EQ(clocks->size(), length);
  EXPECT_TRUE(std::is_sorted(clocks->begin(), clocks->end()));
}

TEST(NvmlMalformedReplies, AListThatNeverFitsIsAnError) {
  const Gpu gpu = gpu_with({.supported_memory_clocks = [](DeviceHandle, unsigned*, unsigned*) {
    return Return::insufficient_size;
  }});
  EXPECT_EQ(kind_of(supported_memory_mhz(gpu)), Errc::io);
}

template <typename Info, std::size_t n>
Return answer(const Info (&infos)[n], unsigned* count, Info* into) {
  const bool fits = *count >= n;
  if (fits) std::copy(std::begin(infos), std::end(infos), into);
  *count = n;
  return fits ? Return::success : Return::insufficient_size;
}

Return no_processes(DeviceHandle, unsigned* count, ProcessInfo*) { return *count = 0, Return::success; }
Return computing(DeviceHandle, unsigned* count, ProcessInfo* into) {
  static constexpr ProcessInfo kInfos[] = {{20, 2048, 0, 0}, {10, kNotAvailable64, 0, 0}};
  return answer(kInfos, count, into);
}
Return drawing(DeviceHandle, unsigned* count, ProcessInfo* into) {
  static constexpr ProcessInfo kInfos[] = {{20, kNotAvailable64, 0, 0}, {30, 1024, 0, 0}};
  return answer(kInfos, count, into);
}
Return drawing_v1(DeviceHandle, unsigned* count, ProcessInfoV1* into) {
  static constexpr ProcessInfoV1 kInfos[] = {{40, 4096}};
  return answer(kInfos, count, into);
}
Return refused(DeviceHandle, unsigned*, ProcessInfo*) { return Return::no_permission; }

TEST(NvmlMalformedReplies, ListsAProcessOnce) {
  const auto listed = processes(gpu_with({.processes = {computing, drawing, no_processes}}));
  ASSERT_TRUE(listed) << listed.error().message;
  ASSERT_EQ(listed->size(), 3u);
  EXPECT_EQ((*listed)[0].pid, 10);
  EXPECT_EQ((*listed)[0].memory, std::nullopt);
  EXPECT_EQ((*listed)[1].pid, 20);
  EXPECT_EQ((*listed)[1].memory, 2048_B);
  EXPECT_EQ((*listed)[2].memory, 1024_B);
}

TEST(NvmlMalformedReplies, ProcessListsMayBeOldOrMissing) {
  const auto mixed =
      processes(gpu_with({.processes = {no_processes}, .processes_v1 = {nullptr, drawing_v1}}));
  ASSERT_TRUE(mixed) << mixed.error().message;
  ASSERT_EQ(mixed->size(), 1u);
  EXPECT_EQ((*mixed)[0].pid, 40);
  EXPECT_EQ((*mixed)[0].memory, 4096_B);
  EXPECT_TRUE(processes(gpu_with({.processes = {no_processes}}))->empty());
  EXPECT_EQ(kind_of(processes(gpu_with({.processes = {computing, refused}}))), Errc::permission);
}

TEST(NvmlClocks, WholeMegahertzMustBeSupported) {
  const ClockList supported{210, 990, 1005, 1980};
  const auto chosen = [&](Hertz asked) { return chosen_mhz(asked, supported, "gpu0", "core"); };
  EXPECT_EQ(*chosen(990_MHz), 990u);
  EXPECT_EQ(*chosen(Hertz{1005e6 + 1e-3}), 1005u);
  EXPECT_EQ(*chosen(Hertz{0}), 210u);
  EXPECT_EQ(chosen(1000_MHz).error().message,
            "gpu0 has no core clock of 1000 MHz; the nearest are 990 MHz and 1005 MHz");
  EXPECT_EQ(chosen(100_MHz).error().message, "gpu0 has no core clock of 100 MHz; the lowest is 210 MHz");
  EXPECT_EQ(chosen(2000_MHz).error().message, "gpu0 has no core clock of 2000 MHz; the highest is 1980 MHz");
  EXPECT_EQ(chosen(2000_MHz).error().kind, Errc::invalid_input);
}

TEST(NvmlClocks, RoundsFractionsOfAMegahertz) {
  const ClockList supported{210, 990, 1005, 1980};
  const auto chosen = [&](double mhz) { return chosen_mhz(Hertz{mhz * 1e6}, supported, "gpu0", "core"); };
  EXPECT_EQ(*chosen(997.4), 990u);
  EXPECT_EQ(*chosen(997.6), 1005u);
  EXPECT_EQ(*chosen(1980.5), 1980u);
  EXPECT_EQ(*chosen(209.5), 210u);
  EXPECT_EQ(kind_of(chosen(1981.5)), Errc::invalid_input);
  EXPECT_EQ(kind_of(chosen(150.5)), Errc::invalid_input);
}

TEST(NvmlClocks, AcceptsAnyClockWithoutAList) {
  EXPECT_EQ(*chosen_mhz(1234.4_MHz, {}, "gpu0", "core"), 1234u);
  for (const double hz : {-1.0, 1e13, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(kind_of(chosen_mhz(Hertz{hz}, {}, "gpu0", "core")), Errc::invalid_input);
  }
}

}  // namespace
}  // namespace ergon::device::nvml
