#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cap/cap_settings.h"
#include "control/plant.h"
#include "control/surface.h"
#include "device/device.h"
#include "shell.h"

namespace ergon::app {

// What runs, and what is known of it: by the controller, and in truth.
struct Stage {
  std::shared_ptr<const void> rig;  // what the plant stands on; outlives it
  std::unique_ptr<control::Plant> plant;
  device::Device* gpu = nullptr;  // whose settings and readings they are; null where there is none
  std::shared_ptr<const control::Surface> believed;  // nothing: next to nothing is known beforehand
  std::shared_ptr<const control::Surface> truth;     // nothing: nobody knows
  Watts most;                                        // that the device can draw
  std::string network;
  std::optional<std::string> device;
  std::string kind = "twin";       // "twin", "trace", "gpu"
  bool in_our_time = false;        // what happens there happens now
  std::string what;                // for people
  std::vector<std::string> files;  // that were read
  std::vector<std::string> remarks;
  // Takes back what was set. Errors: what could not be.
  std::function<Result<>()> put_back = [] { return Result<>(); };
};

// A GPU of this machine, a twin that is another board than the one believed in, or a measured table. Errors:
// no such network, device or file; a network that does not fit the device.
Result<Stage> stage_for(const CapSettings& settings, Shell& shell);

}  // namespace ergon::app
