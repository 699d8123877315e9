#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cap/cap_settings.h"
#include "control/targets/target.h"
#include "device/device.h"
#include "shell.h"

namespace ergon::app {

// The target of a run with the objects that it refers to.
struct CapTarget {
  std::shared_ptr<const void> resources;  // outlives the target
  control::Target target;
  std::optional<device::Precision> precision;  // absent for a trace
  device::Device* gpu = nullptr;               // the GPU that is measured; null for simulations
  std::vector<std::string> files;              // that were read
  std::vector<std::string> warnings;           // data types that are not run or modeled as such
  // Restores device settings. Errors: a setting that could not be restored.
  std::function<Result<>()> restore = [] { return Result<>(); };
};

// Opens a GPU of this machine, a twin (a board that differs from the prior), or a trace. Sets the clock of a
// GPU only with --allow-control. Errors: unknown network or device; no such file or GPU; no engine that runs
// networks on it; a network that does not fit the device.
Result<CapTarget> open_target(const CapSettings& settings, Shell& shell);

}  // namespace ergon::app
