#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "fleet/synthetic/fleet_plan.h"
#include "fleet/synthetic/tile.h"

namespace ergon::fleet::synthetic {

// Properties of a host.
struct HostTraits {
  bool slow = false;         // its GPUs have slow memory
  bool doubled = false;      // writes every checkpoint twice
  bool two_loggers = false;  // two independent loggers read its GPUs
  bool skewed = false;       // the clock of its loggers is ahead by FleetPlan::skew
};
HostTraits traits_of(std::uint64_t seed, std::uint64_t host);

// One task from START to STOP:
//
// clang-format off
//   TotalRender    |---------------------------------------------|
//   Saving Config   |-|                                              2.5 ms
//   Render            |--------------------------|                   41 s, with 7 s and 2 s on the host
//   Uploading                                     |-------------|    1.05 s; 1 in 60: 20 or 40 s more
//   Tiling                                         |------|          0.97 s
// clang-format on
struct RenderTask {
  std::uint64_t number = 0;  // index on the host
  Tile tile;
  Instant begin, config_begin, config_end, render_begin, kernels_begin, kernels_end, render_end, upload_begin,
      tiling_begin, tiling_end, upload_end, end;
};

// The tasks of a host in order of time.
class TaskStream {
 public:
  // `pace`: kernel time on the host's GPUs relative to the nominal device.
  TaskStream(const FleetPlan& plan, std::uint64_t host, double pace);

  // The next task. Absent if it would end too late.
  std::optional<RenderTask> next();

 private:
  std::uint64_t seed_, host_, number_ = 0;
  double pace_;
  Instant free_, last_end_;
};

}  // namespace ergon::fleet::synthetic
