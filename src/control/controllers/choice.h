#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/plants/plant.h"
#include "control/surfaces/surface.h"

namespace ergon::control {

// Name and parameters of a controller.
struct ControllerChoice {
  std::string name = "joint";
  std::optional<Seconds> latency;        // bound on the latency; used by `joint` only
  std::shared_ptr<const Surface> prior;  // initial model of `joint`; empty: generic_surface()
  Watts max_power{1000};                 // maximum power of the device
};

// "batchsizer", "batchsizer+", "dvfs", "joint".
std::vector<std::string> controller_names();
// The name in lower case. Errors: unknown_name, with a suggestion.
Result<std::string> controller_named(std::string_view text);

// Makes the controller and wraps it in Guarded. Controllers that set only the batch use the highest clock.
// Names ignore case. Errors: unknown name (unknown_name, with a suggestion); a controller that sets clocks on
// a plant without clocks; no batch.
Result<std::unique_ptr<Controller>> make_controller(const ControllerChoice& choice, const Plant& plant);

}  // namespace ergon::control
