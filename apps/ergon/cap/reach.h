#pragma once

#include <optional>
#include <string>

#include "control/action.h"
#include "control/surfaces/oracle.h"

namespace ergon::app {

// The part of the knobs that a controller uses: some use one batch, others one clock.
control::Knobs reach_of(const std::string& controller, const control::Knobs& knobs);

// Why the controller cannot hold the cap (and the latency, if given) with any of its points; empty if it can.
struct CapQuestion {
  std::string controller;
  control::Knobs knobs;
  std::optional<Seconds> latency;
};
std::optional<std::string> why_not_held(const CapQuestion& question, const control::Surface& truth,
                                        Watts cap);

}  // namespace ergon::app
