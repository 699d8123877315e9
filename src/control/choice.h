#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/plant.h"
#include "control/surface.h"

namespace ergon::control {

// Which controller, for a plant, and what it is told beforehand.
struct ControllerChoice {
  std::string name = "joint";
  std::optional<Seconds> latency;           // only `joint` knows of it
  std::shared_ptr<const Surface> believed;  // what `joint` begins with; nothing: next to nothing
  Watts most{1000};                         // what the device can draw
};

// "batchsizer", "batchsizer+", "dvfs", "joint".
std::vector<std::string> controller_names();

// Guarded against its sensor. Batches alone leave the clock at the highest. Errors: an unknown name, with the
// one that was meant; a controller of clocks where no clock may be set; no batch to choose from.
Result<std::unique_ptr<Controller>> make_controller(const ControllerChoice& choice, const Plant& plant);

}  // namespace ergon::control
