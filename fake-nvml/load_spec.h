#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/twin/estimate.h"
#include "device/twin/load.h"
#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::fake_nvml {

// Description of a load. Complete: every process can rebuild the load from it.
struct LoadSpec {
  std::string network = "resnet50";  // name in the zoo
  std::int64_t batch = 1;
  device::Precision precision = device::Precision::tf32;
  graph::Mode mode = graph::Mode::inference;

  friend bool operator==(const LoadSpec&, const LoadSpec&) = default;
};

Result<device::Precision> parse_precision(std::string_view text);
Result<graph::Mode> parse_mode(std::string_view text);
std::string to_text(const LoadSpec& load);  // "resnet50 at batch 64, tf32, inference"

// Memory of a context without a load.
inline constexpr Bytes kContextMemory = device::kCudaContext;

struct PlacedLoad {
  std::shared_ptr<const device::Load> load;
  Bytes memory;
};

// Builds the load on a GPU. Errors: unknown network, unsupported batch, not enough memory.
Result<PlacedLoad> place_load(const LoadSpec& name, const device::Specification& gpu);

}  // namespace ergon::fake_nvml
