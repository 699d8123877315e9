#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/timestamp.h"

namespace ergon::fleet {

// From some moment on, events took another time than before.
struct ChangePoint {
  Timestamp at;
  double before_seconds = 0, after_seconds = 0;  // mean durations
  double strength = 0;  // the difference in standard errors: Student's t of the best of all places to cut

  double change() const { return after_seconds / before_seconds - 1; }
  friend bool operator==(const ChangePoint&, const ChangePoint&) = default;
};

// Durations in the order of their starts, kept in at most kMost means of equally many, so that a month takes
// no more room than an hour.
class Series {
 public:
  static constexpr std::size_t kMost = 128;

  void add(Timestamp start, double seconds);
  // The strongest change that is one: six standard errors and a twentieth of the duration.
  std::optional<ChangePoint> change() const;

 private:
  struct Block {
    Timestamp first;
    double sum = 0;
    std::uint64_t count = 0;
  };
  void halve();

  std::vector<Block> blocks_;
  std::uint64_t width_ = 1;  // durations in a block
};

}  // namespace ergon::fleet
