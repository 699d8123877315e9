#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/timestamp.h"

namespace ergon::fleet {

// Utilization of a GPU in each second before and after the START of a task. Tasks of one kind share one
// pattern. If a logger's clock is off, the pattern is shifted (summary/skew.h).
struct ActivityProfile {
  static constexpr std::int64_t kReach = 40;  // seconds before and after a START
  static constexpr std::size_t kSeconds = 2 * kReach;

  std::array<double, kSeconds> sum{};  // of utilization in percent; [0] is kReach seconds before the START
  std::array<std::uint64_t, kSeconds> count{};

  void merge(const ActivityProfile& other) {
    for (std::size_t i = 0; i < kSeconds; ++i) {
      sum[i] += other.sum[i];
      count[i] += other.count[i];
    }
  }
  friend bool operator==(const ActivityProfile&, const ActivityProfile&) = default;
};

// Collects the profile. Samples and STARTs must arrive in order of time.
class ActivityRecorder {
 public:
  void sample(Timestamp at, double utilization);
  void start(Timestamp at);

  const ActivityProfile& profile() const { return profile_; }

 private:
  void add(Timestamp sample, double utilization, Timestamp start);

  std::vector<Timestamp> starts_;  // at most kReach seconds old
  std::vector<std::pair<Timestamp, double>> samples_;
  static constexpr std::size_t kMinCapacity = 64;
  std::size_t clean_at_ = kMinCapacity;  // number of samples at which old ones are removed
  ActivityProfile profile_;
};

}  // namespace ergon::fleet
