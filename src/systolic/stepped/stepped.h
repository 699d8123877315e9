#pragma once

#include "base/result.h"
#include "systolic/geometry.h"
#include "systolic/layer_timing.h"
#include "systolic/simulate.h"

namespace ergon::systolic::stepped {

// The second engine: follows the trace line by line and word by word, with every address in a set, as
// SCALE-Sim itself does. Slow and obviously right; the first engine is checked against it.
Result<LayerTiming> step(const Geometry& geometry, const Machine& machine, const MemoryPort& port,
                         Semantics semantics);

}  // namespace ergon::systolic::stepped
