#pragma once

#include <string>

#include "base/result.h"
#include "control/run.h"

namespace ergon::app {

// Every reading and what was decided upon it as CSV, one row each: time_seconds, batch, clock_hertz,
// power_watts, mean_power_watts, cap_watts, throughput_samples_per_second, latency_seconds,
// temperature_celsius, next_batch, next_clock_hertz, reason. What was not read, or is not set, is empty.
//
// Rows are in the file as soon as they are decided: whatever becomes of the program, the log explains it.
class DecisionLog {
 public:
  // Begins the file anew. Errors: a place where no file can be made; found out before anything runs.
  static Result<DecisionLog> create(const std::string& path);
  DecisionLog(DecisionLog&& other) noexcept;
  DecisionLog& operator=(DecisionLog&&) = delete;
  ~DecisionLog();

  // Errors: a full disk. What was written before stays.
  Result<> add(const control::Decision& decision);

 private:
  DecisionLog(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Result<> write(std::string_view text);

  std::string path_;
  int file_ = -1;
};

}  // namespace ergon::app
