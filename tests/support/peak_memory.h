#pragma once

#include <fstream>
#include <optional>
#include <string>

namespace ergon::test {

// Growth of this process's resident memory at its peak, from construction on (Linux).
class PeakMemory {
 public:
  PeakMemory() : start_(value_of("VmRSS:")) {
    std::ofstream("/proc/self/clear_refs") << "5";  // resets VmHWM
  }

  // Absent where /proc has no such values.
  std::optional<double> growth_mib() const {
    const auto peak = value_of("VmHWM:");
    if (!peak || !start_) return std::nullopt;
    return (*peak - *start_) / 1024;
  }

 private:
  static std::optional<double> value_of(const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kib = 0;
    while (status >> word) {
      if (word == name && status >> kib) return kib;
    }
    return std::nullopt;
  }

  std::optional<double> start_;
};

}  // namespace ergon::test
