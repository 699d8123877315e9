#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ergon::fake_nvml {

// Sensor readings that faults can change. The first four are the power fields of the twin with the same
// names.
enum class SensorField : std::uint8_t { usage, average, instant, samples, energy, temperature };

inline constexpr std::string_view kSensorFieldNames[] = {"usage",   "average", "instant",
                                                         "samples", "energy",  "temperature"};

constexpr std::string_view name_of(SensorField field) {
  return kSensorFieldNames[static_cast<std::size_t>(field)];
}

}  // namespace ergon::fake_nvml
