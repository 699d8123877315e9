#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "systolic/array/layer.h"
#include "systolic/run_totals.h"
#include "systolic/setup/setup.h"
#include "systolic/trace/schedule_cache.h"

namespace ergon::systolic {

// All combinations of arrays, dataflows and scratchpads, each with every bandwidth and with every memory. An
// empty list stands for the accelerator's value.
struct DesignGrid {
  std::string accelerator = kDefaultAccelerator;
  std::vector<Array> arrays;
  std::vector<Dataflow> dataflows;
  std::vector<Scratchpads> scratchpads;
  std::vector<Bandwidth> bandwidths;
  std::vector<std::string> memories;  // names or files
  Semantics semantics = Semantics::v3;
};

// Errors: those of resolve(), with the combination.
Result<std::vector<Setup>> setups_of(const DesignGrid& grid);

// One combination and its result.
struct DesignPoint {
  Setup setup;
  RunTotals totals;

  Seconds time() const { return duration(totals.cycles, *setup.clock); }
};

// Misses are traced once per array and replayed for every bandwidth. Calls `on_point` after each point.
// Errors: those of simulate(), with the array; cancelled. Contract: every setup has an accelerator.
Result<std::vector<DesignPoint>> simulate_points(std::span<const Layer> layers,
                                                 const std::vector<Setup>& setups, ScheduleCache& cache,
                                                 const std::function<void()>& on_point,
                                                 const std::stop_token& stop = {});

// Files that the points were read from, each once.
std::vector<std::string> files_of(const std::vector<DesignPoint>& points);

}  // namespace ergon::systolic
