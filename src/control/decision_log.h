#pragma once

#include <string>

#include "base/result.h"
#include "control/run.h"

namespace ergon::control {

// Writes every decision as a CSV row: time_seconds, batch, clock_hertz,
// power_watts, mean_power_watts, cap_watts, throughput_samples_per_second, latency_seconds,
// temperature_celsius, next_batch, next_clock_hertz, reason. Missing values are empty.
//
// Rows are written unbuffered, so the log is complete even if the program ends abnormally.
class DecisionLog {
 public:
  // Truncates the file. Errors: the file cannot be created.
  static Result<DecisionLog> create(const std::string& path);
  DecisionLog(DecisionLog&& other) noexcept;
  DecisionLog& operator=(DecisionLog&&) = delete;
  ~DecisionLog();

  // Errors: a write error, for example a full disk. Earlier rows stay.
  Result<> add(const Decision& decision);

 private:
  DecisionLog(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Result<> write(std::string_view text);

  std::string path_;
  int file_ = -1;
};

}  // namespace ergon::control
