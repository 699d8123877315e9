// Calls that other clients use to describe a device. Their values follow from other data or are constants.
// Not in abi.h because Ergon does not call them.

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::EnableState;
using nvml::PerformanceState;

template <typename T>
Return always(const char* function, DeviceHandle device, T* target, T value) {
  return give(function, device, target, [&](const GpuCall&) { return value; });
}

Return none_of(const char* function, unsigned* count) {
  return Library::here().call(function, [&](Simulation&) {
    if (count == nullptr) return Return::invalid_argument;
    *count = 0;
    return Return::success;
  });
}

constexpr unsigned kPcie = 2;
constexpr unsigned kPerformanceStates = 16;

// Mb/s per lane, by PCIe generation.
unsigned lane_speed(unsigned generation) {
  constexpr unsigned kSpeeds[] = {0, 2500, 5000, 8000, 16000, 32000, 64000};
  return kSpeeds[std::min<std::size_t>(generation, std::size(kSpeeds) - 1)];
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" {

Return nvmlDeviceGetGpuMaxPcieLinkGeneration(DeviceHandle device, unsigned* generation) {
  return give(__func__, device, generation, [](const GpuCall& at) { return at.product.pcie_generation; });
}
Return nvmlDeviceGetPcieLinkMaxSpeed(DeviceHandle device, unsigned* speed) {
  return give(__func__, device, speed, [](const GpuCall& at) { return at.product.pcie_generation; });
}
Return nvmlDeviceGetPcieSpeed(DeviceHandle device, unsigned* mbps) {
  return give(__func__, device, mbps,
              [](const GpuCall& at) { return lane_speed(at.product.pcie_generation); });
}
Return nvmlDeviceGetPcieReplayCounter(DeviceHandle device, unsigned* count) {
  return always(__func__, device, count, 0U);
}
Return nvmlDeviceGetBusType(DeviceHandle device, unsigned* type) {
  return always(__func__, device, type, kPcie);
}
Return nvmlDeviceGetBoardId(DeviceHandle device, unsigned* id) {
  return give(__func__, device, id,
              [](const GpuCall& at) { return at.slot.pci.bus << 8 | at.slot.pci.device << 3; });
}
Return nvmlDeviceGetMultiGpuBoard(DeviceHandle device, unsigned* several) {
  return always(__func__, device, several, 0U);
}
Return nvmlDeviceGetVirtualizationMode(DeviceHandle device, unsigned* mode) {
  return always(__func__, device, mode, 0U);
}
Return nvmlDeviceGetAdaptiveClockInfoStatus(DeviceHandle device, unsigned* status) {
  return always(__func__, device, status, 1U);
}
Return nvmlDeviceGetAccountingMode(DeviceHandle device, EnableState* mode) {
  return always(__func__, device, mode, EnableState::disabled);
}
Return nvmlDeviceGetMaxMigDeviceCount(DeviceHandle device, unsigned* count) {
  return always(__func__, device, count, 0U);
}
Return nvmlDeviceIsMigDeviceHandle(DeviceHandle device, unsigned* is_one) {
  return always(__func__, device, is_one, 0U);
}
Return nvmlDeviceGetMigDeviceHandleByIndex(DeviceHandle device, unsigned, DeviceHandle*) {
  return Library::here().call(__func__, device, [](const GpuCall&) { return Return::not_found; });
}
Return nvmlDeviceGetDefaultEccMode(DeviceHandle device, EnableState* mode) {
  return give(__func__, device, mode, [](const GpuCall& at) -> std::optional<EnableState> {
    if (!at.product.ecc) return std::nullopt;
    return EnableState::enabled;
  });
}
// P0 only, as on boards with HBM.
Return nvmlDeviceGetSupportedPerformanceStates(DeviceHandle device, PerformanceState* states, unsigned size) {
  return Library::here().call(__func__, device, [&](const GpuCall&) {
    if (states == nullptr) return Return::invalid_argument;
    const std::size_t room = size / sizeof(PerformanceState);
    if (room < kPerformanceStates) return Return::insufficient_size;
    std::fill(states, states + room, PerformanceState::unknown);
    states[0] = PerformanceState::p0;
    return Return::success;
  });
}
Return nvmlDeviceGetMinMaxClockOfPState(DeviceHandle device, nvml::ClockType type, PerformanceState state,
                                        unsigned* min_mhz, unsigned* max_mhz) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (min_mhz == nullptr || max_mhz == nullptr) return Return::invalid_argument;
    if (state != PerformanceState::p0) return Return::not_supported;
    if (type == nvml::ClockType::memory) {
      *min_mhz = at.product.memory_mhz.back();
      *max_mhz = at.product.memory_mhz.front();
    } else if (type == nvml::ClockType::graphics || type == nvml::ClockType::sm) {
      *min_mhz = whole_mhz(at.slot.gpu.core.min);
      *max_mhz = whole_mhz(at.slot.gpu.core.max);
    } else {
      return Return::not_supported;
    }
    return Return::success;
  });
}

Return nvmlUnitGetCount(unsigned* count) { return none_of(__func__, count); }
Return nvmlGetExcludedDeviceCount(unsigned* count) { return none_of(__func__, count); }
Return nvmlGetBlacklistDeviceCount(unsigned* count) { return none_of(__func__, count); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

}  // namespace ergon::fake_nvml
