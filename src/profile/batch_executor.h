#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ergon::profile {

// A batch that was run. `began`: submitted and all previous batches done. `done`: all its results available.
struct CompletedBatch {
  std::int64_t batch = 0;
  Instant began, done;

  Seconds time() const { return done - began; }
};

// Runs a network at inference with batches of changing size. Weights, memory and inputs are allocated for the
// largest batch; smaller batches use views of the same memory.
class BatchExecutor {
 public:
  virtual ~BatchExecutor() = default;

  // Submits a batch, at most of the largest size, and returns when the previous one is done, so that the
  // device is busy while the caller computes. Returns the batches completed since the last call, oldest
  // first. Errors: out_of_memory; device_lost; other device errors.
  virtual Result<std::vector<CompletedBatch>> submit(std::int64_t batch) = 0;
  // Waits for all submitted batches.
  virtual Result<std::vector<CompletedBatch>> finish() = 0;
};

}  // namespace ergon::profile
