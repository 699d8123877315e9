#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "fleet/synthetic/plan.h"
#include "fleet/synthetic/tile.h"

namespace ergon::fleet::synthetic {

// What sets a host apart.
struct HostTraits {
  bool slow = false;         // its GPUs have slow memory
  bool doubled = false;      // it writes every checkpoint twice
  bool two_loggers = false;  // two loggers read its GPUs, each in its own rhythm
  bool skewed = false;       // its loggers' clock runs ahead, where the plan says by how much
};
HostTraits traits_of(std::uint64_t seed, std::uint64_t host);

// One task, from beginning to end:
//
//   TotalRender    |---------------------------------------------|
//   Saving Config   |-|                                              2.5 ms
//   Render            |--------------------------|                   41 s: 7 s on the host, on the GPU, 2 s
//   on the host Uploading                                     |-------------|    1.05 s; one in sixty 20 s or
//   40 s more Tiling                                         |------|          0.97 s
struct RenderTask {
  std::uint64_t number = 0;  // of this host's
  Tile tile;
  Instant begin, config_begin, config_end, render_begin, kernels_begin, kernels_end, render_end, upload_begin,
      tiling_begin, tiling_end, upload_end, end;
};

// The tasks of a host, one after another.
class HostLife {
 public:
  // `pace`: how long the host's GPUs take for a kernel, in units of what the plan's device takes.
  HostLife(const Plan& plan, std::uint64_t host, double pace);

  // Each begins after the one before has ended. Nothing once the next would end too late.
  std::optional<RenderTask> next();

 private:
  std::uint64_t seed_, host_, number_ = 0;
  double pace_;
  Instant free_, last_end_;
};

}  // namespace ergon::fleet::synthetic
