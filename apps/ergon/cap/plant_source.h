#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cap/cap_settings.h"
#include "control/plant.h"
#include "control/surface.h"

namespace ergon::app {

// What runs, and what is known of it: by the controller, and in truth.
struct Stage {
  std::unique_ptr<control::Plant> plant;
  std::shared_ptr<const control::Surface> believed;  // nothing: next to nothing is known beforehand
  std::shared_ptr<const control::Surface> truth;
  Watts most;  // that the device can draw
  std::string network;
  std::optional<std::string> device;
  std::string what;                // for people
  std::vector<std::string> files;  // that were read
  std::vector<std::string> remarks;
};

// A twin that is another board than the one believed in, or a measured table. Errors: no such network, device
// or file; a network that does not fit the device; a real GPU, which is not built yet.
Result<Stage> stage_for(const CapSettings& settings);

}  // namespace ergon::app
