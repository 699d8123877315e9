#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "base/result.h"
#include "meter/measurement.h"

namespace ergon::profile {

// A stretch of time that is being watched.
class Watched {
 public:
  virtual ~Watched() = default;
  // It ends here.
  virtual void close() = 0;
  // What was drawn; waits for what the sensors have still to say. Once, after close().
  virtual Result<meter::Measurement> measurement(const std::stop_token& stop) = 0;
};

// Whoever knows what a device draws: a meter, or a twin's own.
class PowerWatch {
 public:
  virtual ~PowerWatch() = default;
  // One at a time.
  virtual std::unique_ptr<Watched> open() = 0;
  // As it is now; nothing where it cannot be read.
  virtual std::optional<Celsius> temperature() = 0;
  // The shortest window that its sensor can tell something of.
  virtual Seconds shortest() const = 0;
  // How far a reading reaches beyond a window: work that goes on for so long before and behind keeps the
  // edges from blurring.
  virtual Seconds blur() const = 0;
};

}  // namespace ergon::profile
