#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "sweep/bench.h"
#include "sweep/run.h"

namespace ergon::sweep {

struct SweepSummary {
  std::int64_t runs = 0;     // that were carried out
  std::int64_t invalid = 0;  // of these, with something that speaks against them
};

// Where a finished run goes: a log, or memory. Errors end the sweep.
using Keep = std::function<Result<>(const RunRow&)>;

// Carries out all runs, as many at a time as the bench allows, and keeps each when it is finished; `keep` is
// called by one thread at a time. Errors: the bench's, those of `keep`, somebody asked to stop; what was
// finished by then is kept.
Result<SweepSummary> carry_out(const std::vector<Run>& runs, Bench& bench, const Keep& keep,
                               const std::stop_token& stop);

}  // namespace ergon::sweep
