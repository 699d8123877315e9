#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "systolic/array/array.h"
#include "systolic/array/geometry.h"
#include "systolic/array/mapping.h"
#include "systolic/trace/epoch_walk.h"
#include "systolic/trace/output_pattern.h"
#include "systolic/trace/prefetch_window.h"
#include "systolic/trace/window_walk.h"

namespace ergon::systolic {

// Reads of one operand on one array.
struct ReadSchedule {
  PrefetchPlan plan;
  MissList misses;
  std::int64_t first_request = 0, last_request = 0;  // lines
};

// A layer mapped to an array.
struct LayerPlan {
  Geometry geometry;
  Machine machine;
  Mapping mapping;
  OutputPattern outputs;
  ScratchpadTraffic traffic;
};

// The part of a simulation that does not depend on bandwidth or clock: the misses of each line, and when
// outputs leave. Traced once, then replayed for any memory (replay.h, shared_channel.h).
struct MissSchedule : LayerPlan {
  ReadSchedule ifmap, filter;

  // The last line that waits for data; -1 when none does.
  std::int64_t last_miss() const { return std::max(ifmap.misses.last_line(), filter.misses.last_line()); }
};

// Contract: Machine::check() passed. Fails with Errc::cancelled when a stop is requested.
Result<MissSchedule> trace_misses(const Geometry& geometry, const Machine& machine,
                                  const std::stop_token& stop = {});

// The same for SCALE-Sim's calculated bandwidth, where reads never stall.
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
