#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ergon::fake_nvml {

// What a GPU's sensors tell, and faults can spoil. The first four are the twin's power fields of that name.
enum class Reading : std::uint8_t { usage, average, instant, samples, energy, temperature };

inline constexpr std::string_view kReadingNames[] = {"usage",   "average", "instant",
                                                     "samples", "energy",  "temperature"};

constexpr std::string_view name_of(Reading reading) {
  return kReadingNames[static_cast<std::size_t>(reading)];
}

}  // namespace ergon::fake_nvml
