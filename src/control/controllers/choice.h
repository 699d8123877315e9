#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/plants/plant.h"
#include "control/surfaces/surface.h"

namespace ergon::control {

enum class ControllerKind : std::uint8_t { batchsizer, batchsizer_plus, dvfs, joint };
inline constexpr ControllerKind kControllers[] = {ControllerKind::batchsizer, ControllerKind::batchsizer_plus,
                                                  ControllerKind::dvfs, ControllerKind::joint};
// "batchsizer", "batchsizer+", "dvfs", "joint".
std::string_view name_of(ControllerKind controller);
std::vector<std::string> controller_names();
// Ignores case. Errors: unknown_name, with a suggestion.
Result<ControllerKind> controller_named(std::string_view text);

// Whether the controller holds a bound on the latency.
constexpr bool takes_latency(ControllerKind kind) { return kind == ControllerKind::joint; }

// A controller and its parameters.
struct ControllerChoice {
  ControllerKind kind = ControllerKind::joint;
  std::optional<Seconds> latency;        // bound on the latency; used by `joint` only
  std::shared_ptr<const Surface> prior;  // initial model of `joint`; empty: generic_surface()
  Watts max_power{1000};                 // maximum power of the device
};

// Makes the controller and wraps it in Guarded. Controllers that set only the batch use the highest clock.
// Errors: a controller that sets clocks on a plant without clocks; a latency bound for a controller without
// one; no batch.
Result<std::unique_ptr<Controller>> make_controller(const ControllerChoice& choice, const Plant& plant);

}  // namespace ergon::control
