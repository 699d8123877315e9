#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "control/run.h"
#include "table/table.h"

namespace ergon::app {

// Every reading and what was decided upon it, one row each: time_seconds, batch, clock_hertz, power_watts,
// mean_power_watts, cap_watts, throughput_samples_per_second, latency_seconds, temperature_celsius,
// next_batch, next_clock_hertz, reason. What was not read, or is not set, is missing.
table::Table decisions_table(const std::vector<control::Decision>& decisions);

// The same as a file that appears whole or not at all.
class DecisionLog {
 public:
  // Errors: a place where no file can be made; found out before anything runs.
  static Result<DecisionLog> create(const std::string& path);

  Result<> write(const std::vector<control::Decision>& decisions);

 private:
  explicit DecisionLog(AtomicFile file) : file_(std::move(file)) {}

  AtomicFile file_;
};

}  // namespace ergon::app
