#pragma once

#include <optional>
#include <string>

#include "control/action.h"
#include "control/controllers/choice.h"
#include "control/surfaces/oracle.h"

namespace ergon::control {

// The part of the knobs that a controller uses: some use one batch, others one clock.
Knobs reach_of(ControllerKind controller, const Knobs& knobs);

// "8 batches from 1 to 128, 24 clocks from 500 to 1530 MHz"; "batch 16 at 900 MHz"; "batch 1, default clock".
std::string text_of(const Knobs& knobs);

// Why the controller cannot hold the cap (and the latency, if given) with any of its points; empty if it can.
struct CapQuestion {
  ControllerKind controller = ControllerKind::joint;
  Knobs knobs;
  std::optional<Seconds> latency;
};
std::optional<std::string> why_not_held(const CapQuestion& question, const Surface& truth, Watts cap);

}  // namespace ergon::control
