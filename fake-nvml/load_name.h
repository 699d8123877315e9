#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/twin/load.h"
#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::fake_nvml {

// Work that a GPU can be given, by name: every process can make it again from this alone.
struct LoadName {
  std::string network = "resnet50";  // of the zoo
  std::int64_t batch = 1;
  device::Precision precision = device::Precision::tf32;
  graph::Mode mode = graph::Mode::inference;

  friend bool operator==(const LoadName&, const LoadName&) = default;
};

Result<device::Precision> parse_precision(std::string_view text);
Result<graph::Mode> parse_mode(std::string_view text);
std::string_view name_of(graph::Mode mode);
std::string to_text(const LoadName& load);  // "resnet50 at batch 64, tf32, inference"

// What a process holds before it has any work.
inline constexpr Bytes kContextMemory{0.5 * 1073741824};

struct PlacedLoad {
  std::shared_ptr<const device::Load> load;
  Bytes memory;
};

// Errors: a network that is not in the zoo, a batch it cannot run at, or more than the GPU's memory.
Result<PlacedLoad> place(const LoadName& name, const device::Specification& gpu);

}  // namespace ergon::fake_nvml
