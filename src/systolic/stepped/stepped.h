#pragma once

#include <stop_token>

#include "base/result.h"
#include "systolic/array/array.h"
#include "systolic/array/layer.h"
#include "systolic/layer_run.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/semantics.h"

namespace ergon::systolic::stepped {

// The second engine: follows the trace line by line and word by word, with every address in a set, as
// SCALE-Sim itself does. Slow and obviously right; the first engine is checked against it. Fails as cancelled
// when asked to stop, and where a layer is too large to be written out.
Result<LayerRun> step(const Layer& layer, const Machine& machine, const MemoryPort& port, Semantics semantics,
                      const std::stop_token& stop = {});

}  // namespace ergon::systolic::stepped
