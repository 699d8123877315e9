#pragma once

#include <optional>
#include <string>

#include "control/action.h"
#include "control/oracle.h"

namespace ergon::app {

// What a controller may choose of what there is: some have one batch, others one clock.
control::Knobs reach_of(const std::string& controller, const control::Knobs& knobs);

// Why nothing that the controller may choose holds the cap, and the latency where one is asked for; nothing
// if something does.
struct Holding {
  std::string controller;
  control::Knobs knobs;
  std::optional<Seconds> latency;
};
std::optional<std::string> why_not_held(const Holding& holding, const control::Surface& truth, Watts cap);

}  // namespace ergon::app
