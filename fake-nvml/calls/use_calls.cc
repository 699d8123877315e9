// Utilization, memory and processes.

#include <bit>
#include <type_traits>

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::ProcessInfo;
using nvml::ProcessInfoV1;

constexpr std::uint64_t kMebi = 1048576;
constexpr unsigned kSamplingPeriodUs = 100'000;

std::uint64_t mebibytes(double bytes) {
  return static_cast<std::uint64_t>(bytes / static_cast<double>(kMebi)) * kMebi;
}

unsigned percent(double share) { return static_cast<unsigned>(std::lround(share * 100)); }

// The memory of a twin is what programs can use. The driver reserves another 0.43 % of the total, as on an
// H200.
struct MemoryNow {
  std::uint64_t total, reserved, used;
};
MemoryNow memory_of(const GpuCall& at) {
  constexpr double kReserved = 0.0043;
  const double capacity = at.slot.gpu.memory.capacity.si();
  const std::uint64_t reserved = mebibytes(capacity * kReserved / (1 - kReserved));
  return {mebibytes(capacity) + reserved, reserved, mebibytes(at.gpu.memory_used().si())};
}

template <typename Info>
Info info_of(const Context& context) {
  Info info{};
  info.pid = static_cast<unsigned>(context.owner.pid);
  info.used_gpu_memory = mebibytes(context.memory().si());
  if constexpr (std::is_same_v<Info, ProcessInfo>)
    info.gpu_instance = info.compute_instance = nvml::kNotAvailable32;
  return info;
}

enum class Kind : std::uint8_t { compute, graphics, mps };

// All contexts are compute contexts.
template <typename Info>
Return processes(const char* function, DeviceHandle device, Kind kind, unsigned* count, Info* infos) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (count == nullptr) return Return::invalid_argument;
    std::vector<Info> list;
    if (kind == Kind::compute) {
      for (const Context& context : at.gpu.contexts()) list.push_back(info_of<Info>(context));
    }
    return give_list(list, count, infos);
  });
}

Return idle_engine(const char* function, DeviceHandle device, unsigned* busy, unsigned* sampling_period_us) {
  return Library::here().call(function, device, [&](const GpuCall&) {
    if (busy == nullptr || sampling_period_us == nullptr) return Return::invalid_argument;
    *busy = 0;
    *sampling_period_us = kSamplingPeriodUs;
    return Return::success;
  });
}

}  // namespace

Return nvmlDeviceGetUtilizationRates(DeviceHandle device, nvml::Utilization* rates) {
  return give(__func__, device, rates, [](const GpuCall& at) {
    const device::GpuUtilization now = at.gpu.utilization();
    return nvml::Utilization{percent(now.compute), percent(now.memory)};
  });
}
Return nvmlDeviceGetEncoderUtilization(DeviceHandle device, unsigned* busy, unsigned* sampling_period_us) {
  return idle_engine(__func__, device, busy, sampling_period_us);
}
Return nvmlDeviceGetDecoderUtilization(DeviceHandle device, unsigned* busy, unsigned* sampling_period_us) {
  return idle_engine(__func__, device, busy, sampling_period_us);
}

Return nvmlDeviceGetMemoryInfo(DeviceHandle device, nvml::Memory* memory) {
  return give(__func__, device, memory, [](const GpuCall& at) {
    const MemoryNow now = memory_of(at);
    const std::uint64_t used = now.used + now.reserved;
    return nvml::Memory{now.total, now.total - used, used};
  });
}
Return nvmlDeviceGetMemoryInfo_v2(DeviceHandle device, nvml::MemoryV2* memory) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (memory == nullptr) return Return::invalid_argument;
    if (memory->version != nvml::version_of<nvml::MemoryV2>(2))
      return Return::function_not_found;  // like the real library
    const MemoryNow now = memory_of(at);
    *memory = {memory->version, now.total, now.reserved, now.total - now.used - now.reserved, now.used};
    return Return::success;
  });
}
Return nvmlDeviceGetBAR1MemoryInfo(DeviceHandle device, nvml::Bar1Memory* memory) {
  return give(__func__, device, memory, [](const GpuCall& at) {
    constexpr std::uint64_t kUsed = kMebi;
    const std::uint64_t total = std::bit_ceil(memory_of(at).total);
    return nvml::Bar1Memory{total, total - kUsed, kUsed};
  });
}

Return nvmlDeviceGetComputeRunningProcesses(DeviceHandle device, unsigned* count, ProcessInfoV1* infos) {
  return processes(__func__, device, Kind::compute, count, infos);
}
Return nvmlDeviceGetComputeRunningProcesses_v2(DeviceHandle device, unsigned* count, ProcessInfo* infos) {
  return processes(__func__, device, Kind::compute, count, infos);
}
Return nvmlDeviceGetComputeRunningProcesses_v3(DeviceHandle device, unsigned* count, ProcessInfo* infos) {
  return processes(__func__, device, Kind::compute, count, infos);
}
Return nvmlDeviceGetGraphicsRunningProcesses(DeviceHandle device, unsigned* count, ProcessInfoV1* infos) {
  return processes(__func__, device, Kind::graphics, count, infos);
}
Return nvmlDeviceGetGraphicsRunningProcesses_v2(DeviceHandle device, unsigned* count, ProcessInfo* infos) {
  return processes(__func__, device, Kind::graphics, count, infos);
}
Return nvmlDeviceGetGraphicsRunningProcesses_v3(DeviceHandle device, unsigned* count, ProcessInfo* infos) {
  return processes(__func__, device, Kind::graphics, count, infos);
}
Return nvmlDeviceGetMPSComputeRunningProcesses(DeviceHandle device, unsigned* count, ProcessInfoV1* infos) {
  return processes(__func__, device, Kind::mps, count, infos);
}
Return nvmlDeviceGetMPSComputeRunningProcesses_v2(DeviceHandle device, unsigned* count, ProcessInfo* infos) {
  return processes(__func__, device, Kind::mps, count, infos);
}
Return nvmlDeviceGetMPSComputeRunningProcesses_v3(DeviceHandle device, unsigned* count, ProcessInfo* infos) {
  return processes(__func__, device, Kind::mps, count, infos);
}

// Like the real library, requires capacity for the whole buffer, even if it contains less.
Return nvmlDeviceGetProcessUtilization(DeviceHandle device, nvml::ProcessUtilizationSample* samples,
                                       unsigned* count, unsigned long long last_seen_us) {
  constexpr unsigned kBuffer = 72;
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (count == nullptr) return Return::invalid_argument;
    if (samples == nullptr || *count < kBuffer) return *count = kBuffer, Return::insufficient_size;
    const std::uint64_t now_us = microseconds_of(at.simulation.wall_time(at.simulation.now_ns()));
    const auto owner = at.gpu.running_owner();
    if (!owner || now_us <= last_seen_us) return Return::not_found;
    const device::GpuUtilization now = at.gpu.utilization();
    samples[0] = {static_cast<unsigned>(owner->pid), now_us, percent(now.compute), percent(now.memory), 0, 0};
    *count = 1;
    return Return::success;
  });
}

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" Return nvmlDeviceGetJpgUtilization(DeviceHandle device, unsigned* busy,
                                              unsigned* sampling_period_us) {
  return idle_engine(__func__, device, busy, sampling_period_us);
}
extern "C" Return nvmlDeviceGetOfaUtilization(DeviceHandle device, unsigned* busy,
                                              unsigned* sampling_period_us) {
  return idle_engine(__func__, device, busy, sampling_period_us);
}
// NOLINTEND(readability-identifier-naming)
Return nvmlDeviceGetPcieThroughput(DeviceHandle device, nvml::PcieCounter counter, unsigned* kb_per_s) {
  return Library::here().call(__func__, device, [&](const GpuCall&) {
    const bool known =
        counter == nvml::PcieCounter::sent_kb_per_s || counter == nvml::PcieCounter::received_kb_per_s;
    if (!known || kb_per_s == nullptr) return Return::invalid_argument;
    *kb_per_s = 0;
    return Return::success;
  });
}

}  // namespace ergon::fake_nvml
