#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ergon::profile {

// A batch that was run: from when nothing was left in its way until its last result was there.
struct Answer {
  std::int64_t batch = 0;
  Instant began, done;

  Seconds time() const { return done - began; }
};

// A network that answers batches of any size. Weights, memory and inputs stand ready for the largest; another
// size is another view of the same memory.
class Service {
 public:
  virtual ~Service() = default;

  // Asks for a batch, of the largest size at most, and comes back once the one before it is done: while the
  // caller thinks, the device has work. Answers since the last call, oldest first. Errors: out_of_memory; a
  // device that no longer answers; whatever else it does.
  virtual Result<std::vector<Answer>> ask(std::int64_t batch) = 0;
  // Waits for what is under way.
  virtual Result<std::vector<Answer>> finish() = 0;
};

}  // namespace ergon::profile
