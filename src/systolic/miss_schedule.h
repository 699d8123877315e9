#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "systolic/array.h"
#include "systolic/epoch_walk.h"
#include "systolic/geometry.h"
#include "systolic/mapping.h"
#include "systolic/output_pattern.h"
#include "systolic/prefetch_window.h"
#include "systolic/window_walk.h"

namespace ergon::systolic {

// How an operand is read, on one machine.
struct ReadSchedule {
  PrefetchPlan plan;
  MissList misses;
  std::int64_t first_request = 0, last_request = 0;  // lines
};

// A layer laid out on a machine.
struct LayerPlan {
  Geometry geometry;
  Machine machine;
  Mapping mapping;
  OutputPattern outputs;
  ScratchpadTraffic traffic;
};

// All that a layer on a machine does that does not depend on bandwidth or clock: which line misses what, and
// when outputs come. Traced once, it answers for any memory (replay.h, shared_channel.h).
struct MissSchedule : LayerPlan {
  ReadSchedule ifmap, filter;

  // The last line that waits for data; -1 when none does.
  std::int64_t last_miss() const { return std::max(ifmap.misses.last_line(), filter.misses.last_line()); }
};

// Contract: the machine has been checked. Fails as cancelled when asked to stop.
Result<MissSchedule> trace_misses(const Geometry& geometry, const Machine& machine,
                                  const std::stop_token& stop = {});

// The same for SCALE-Sim's calculated bandwidth, where reads never wait.
struct EpochReads {
  EpochPlan plan;
  Epochs epochs;
  std::int64_t first_request = 0, last_request = 0;
};

struct EpochSchedule : LayerPlan {
  EpochReads ifmap, filter;
};

Result<EpochSchedule> trace_epochs(const Geometry& geometry, const Machine& machine,
                                   const std::stop_token& stop = {});

}  // namespace ergon::systolic
