#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/timestamp.h"

namespace ergon::fleet {

// A change of the mean duration of events at one point in time.
struct ChangePoint {
  Timestamp at;
  double before_seconds = 0, after_seconds = 0;  // mean durations
  double strength = 0;  // difference in standard errors: the maximum of Student's t over all change points

  double change() const { return after_seconds / before_seconds - 1; }
  friend bool operator==(const ChangePoint&, const ChangePoint&) = default;
};

// Durations in order of START, stored as at most kMaxBlocks means of equally many, so a month needs as much
// memory as an hour.
class DurationSeries {
 public:
  static constexpr std::size_t kMaxBlocks = 128;

  void add(Timestamp start, double seconds);
  // The strongest change, if it is at least six standard errors and 5 % of the duration.
  std::optional<ChangePoint> change() const;

 private:
  struct Block {
    Timestamp first;
    double sum = 0;
    std::uint64_t count = 0;
  };
  void halve();

  std::vector<Block> blocks_;
  std::uint64_t width_ = 1;  // durations per block
};

}  // namespace ergon::fleet
