#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/timestamp.h"

namespace ergon::fleet {

// How busy a GPU is around the STARTs of tasks, second by second. Tasks of one kind have one pattern; where a
// logger's clock is off, the pattern is shifted.
struct ActivityProfile {
  static constexpr std::int64_t kReach = 40;  // seconds before and behind a START
  static constexpr std::size_t kSeconds = 2 * kReach;

  std::array<double, kSeconds> sum{};  // of utilisation, from kReach before a START on
  std::array<std::uint64_t, kSeconds> count{};

  void merge(const ActivityProfile& other) {
    for (std::size_t i = 0; i < kSeconds; ++i) {
      sum[i] += other.sum[i];
      count[i] += other.count[i];
    }
  }
  friend bool operator==(const ActivityProfile&, const ActivityProfile&) = default;
};

// Collects it from samples and STARTs as they come, in the order of time.
class ActivityWatch {
 public:
  void sample(Timestamp at, double utilisation);
  void start(Timestamp at);

  const ActivityProfile& profile() const { return profile_; }

 private:
  void add(Timestamp sample, double utilisation, Timestamp start);

  std::vector<Timestamp> starts_;  // that are not too long ago
  std::vector<std::pair<Timestamp, double>> samples_;
  static constexpr std::size_t kFewest = 64;
  std::size_t clean_at_ = kFewest;  // how many samples there may be before the old ones are thrown away
  ActivityProfile profile_;
};

}  // namespace ergon::fleet
