#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/statistics/quantile_sketch.h"
#include "control/caps/cap_source.h"
#include "control/plants/plant.h"

namespace ergon::control {

// One step of a controller: its input and the action it chose.
struct Decision {
  Feedback feedback;
  Action next;
};

// A new cap and the time until power was below it.
struct Compliance {
  Seconds at;
  Watts cap;
  std::string origin;
  std::optional<Seconds> took;  // empty: not met before the next cap or the end
  int decisions = 0;            // until it was met
};

// Record of a run.
struct CapRun {
  std::string controller;
  std::vector<Decision> decisions;
  std::vector<Compliance> caps;
  struct CappedSegment {
    PowerSegment segment;
    Watts cap;
  };
  std::vector<CappedSegment> segments;   // power over time with the cap in force
  statistics::QuantileSketch latencies;  // of requests, in seconds
  std::vector<std::string> refused;      // rejected caps with the reason
  std::vector<std::string> remarks;      // errors of the cap source
};

struct RunOptions {
  Seconds duration{60};
  std::size_t max_decisions = SIZE_MAX;
  std::stop_token stop;
  std::function<void(const Decision&)> on_decision;  // called after every decision
};

// Runs the controller until the duration or the decisions are used up, the plant fails, or `stop` is
// requested. Errors: no cap at the start; the first cap is below idle power (the message names it); those of
// the plant.
Result<CapRun> run(Plant& plant, Controller& controller, CapSource& caps, const RunOptions& options);

}  // namespace ergon::control
