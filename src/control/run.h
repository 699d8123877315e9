#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/statistics/quantile_sketch.h"
#include "control/cap_source.h"
#include "control/plant.h"

namespace ergon::control {

// One decision: what was read, and what was decided for the time after it.
struct Decision {
  Reading reading;
  Action next;
};

// A new cap, and how long it took until power was below it.
struct Compliance {
  Seconds at;
  Watts cap;
  std::string origin;
  std::optional<Seconds> took;  // nothing: it was not met before the end, or before the next one
  int decisions = 0;            // that it took
};

// Everything that happened.
struct Run {
  std::string controller;
  std::vector<Decision> decisions;
  std::vector<Compliance> caps;
  struct Piece {
    Stretch stretch;
    Watts cap;
  };
  std::vector<Piece> pieces;             // power over time, with the cap that held
  statistics::QuantileSketch latencies;  // of requests, in seconds
  std::vector<std::string> refused;      // caps that were asked for and cannot be held, and why
  std::vector<std::string> remarks;      // what cap sources had to tell
};

struct RunOptions {
  Seconds duration{60};
  std::size_t most_decisions = SIZE_MAX;
  std::stop_token stop;
  std::function<void(const Decision&)> watch;
};

// Lets a controller hold the cap until the time is over, the plant ends or somebody stops it. Errors: no cap
// in time; a cap below what the model draws with nothing running, which it names; the
// plant's own.
Result<Run> run(Plant& plant, Controller& controller, CapSource& caps, const RunOptions& options);

}  // namespace ergon::control
