#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "meter/meter.h"

namespace ergon::app {

// All power readings of a measurement as CSV: seconds since the start of the command, device, sensor field,
// watts as read, and whether they are simulated. Written completely or not at all.
class TraceFile {
 public:
  // Errors: the file cannot be created. Called before the command starts.
  static Result<TraceFile> create(const std::string& path);

  Result<> write(meter::Meter& meter, Instant begin);

 private:
  explicit TraceFile(AtomicFile file) : file_(std::move(file)) {}

  AtomicFile file_;
};

}  // namespace ergon::app
