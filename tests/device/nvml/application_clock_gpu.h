#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "device/nvml/gpu.h"

namespace ergon::test {

// A GPU without locked clocks, whose lower memory clocks support fewer core clocks. State is static, because
// NVML functions have no context argument.
struct ApplicationClockGpu {
  static inline const std::map<unsigned, std::vector<unsigned>> kClocks{
      {405, {405}}, {810, {544, 600, 810}}, {3615, {544, 600, 810, 1303, 1531}}};
  static constexpr std::pair<unsigned, unsigned> kDefault{3615, 1303};  // memory, core

  static inline std::pair<unsigned, unsigned> now = kDefault;
  static inline int writes = 0;

  static device::nvml::Gpu made_new() {
    using device::nvml::ClockType;
    using device::nvml::DeviceHandle;
    using device::nvml::Return;
    now = kDefault;
    writes = 0;
    const device::nvml::Functions functions{
        .supported_memory_clocks =
            [](DeviceHandle, unsigned* count, unsigned* mhz) {
              std::vector<unsigned> clocks;
              for (const auto& [memory, core] : kClocks) clocks.insert(clocks.begin(), memory);
              return answer(clocks, count, mhz);
            },
        .supported_graphics_clocks =
            [](DeviceHandle, unsigned memory_mhz, unsigned* count, unsigned* mhz) {
              const auto clocks = kClocks.find(memory_mhz);
              return clocks != kClocks.end() ? answer(clocks->second, count, mhz) : Return::invalid_argument;
            },
        .application_clock = [](DeviceHandle, ClockType type,
                                unsigned* mhz) { return *mhz = part(now, type), Return::success; },
        .default_application_clock =
            [](DeviceHandle, ClockType type, unsigned* mhz) {
              return *mhz = part(kDefault, type), Return::success;
            },
        .set_application_clocks =
            [](DeviceHandle, unsigned memory_mhz, unsigned core_mhz) {
              const auto clocks = kClocks.find(memory_mhz);
              const bool known = clocks != kClocks.end() &&
                                 std::count(clocks->second.begin(), clocks->second.end(), core_mhz) > 0;
              if (!known) return Return::invalid_argument;
              now = {memory_mhz, core_mhz};
              return ++writes, Return::success;
            },
        .reset_application_clocks = [](DeviceHandle) { return now = kDefault, ++writes, Return::success; },
    };
    return {device::nvml::Library::of(functions), nullptr, "gpu0 (an old GPU)"};
  }

 private:
  static unsigned part(const std::pair<unsigned, unsigned>& clocks, device::nvml::ClockType type) {
    return type == device::nvml::ClockType::memory ? clocks.first : clocks.second;
  }
  static device::nvml::Return answer(const std::vector<unsigned>& clocks, unsigned* count, unsigned* mhz) {
    const bool fits = *count >= clocks.size();
    if (fits) std::copy(clocks.begin(), clocks.end(), mhz);
    *count = static_cast<unsigned>(clocks.size());
    return fits ? device::nvml::Return::success : device::nvml::Return::insufficient_size;
  }
};

}  // namespace ergon::test
