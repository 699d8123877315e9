#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "meter/meter.h"

namespace ergon::app {

// All power readings of a measurement as CSV: seconds since the command began, the device, the field, watts
// as read, and whether they come from a model. Appears whole or not at all.
class TraceFile {
 public:
  // Errors: a place where no file can be made; found out before anything runs.
  static Result<TraceFile> create(const std::string& path);

  Result<> write(meter::Meter& meter, Instant begin);

 private:
  explicit TraceFile(AtomicFile file) : file_(std::move(file)) {}

  AtomicFile file_;
};

}  // namespace ergon::app
