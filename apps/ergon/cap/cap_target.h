#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cap/cap_settings.h"
#include "control/plants/plant.h"
#include "control/surfaces/surface.h"
#include "device/device.h"
#include "shell.h"

namespace ergon::app {

// The plant of a run with its prior and, if known, its true surface.
struct CapTarget {
  std::shared_ptr<const void> resources;  // used by the plant; outlives it
  std::unique_ptr<control::Plant> plant;
  device::Device* gpu = nullptr;                  // the GPU that is measured; null for simulations
  std::shared_ptr<const control::Surface> prior;  // empty: generic prior
  std::shared_ptr<const control::Surface> truth;  // empty: unknown
  Watts max_power;                                // maximum power of the device
  std::string network;
  std::optional<std::string> device;
  std::string kind = "twin";       // "twin", "trace", "gpu"
  bool real_time = false;          // not simulated
  std::string description;         // title line
  std::vector<std::string> files;  // that were read
  std::vector<std::string> remarks;
  // Restores device settings. Errors: a setting that could not be restored.
  std::function<Result<>()> restore = [] { return Result<>(); };
};

// Opens a GPU of this machine, a twin (a board that differs from the prior), or a trace. Errors: unknown
// network or device; no such file; a network that does not fit the device.
Result<CapTarget> open_target(const CapSettings& settings, Shell& shell);

}  // namespace ergon::app
