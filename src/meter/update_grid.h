#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

// A time and its standard deviation.
struct GridTime {
  Instant at;
  Seconds deviation;
};

// Times of periodic events, such as the updates of a sensor or the steps of a counter, each of which is known
// only to within the interval between two reads. Drivers update at a constant period, so the grid of many
// events is known better than each of them: a Kalman filter of phase and period.
class UpdateGrid {
 public:
  // `period`: nominal; without it the period is that between the first two events.
  explicit UpdateGrid(std::optional<Seconds> period = std::nullopt) : nominal_(period) {}

  // Adds an event at `at` +- bracket / 2. Contract: in order of time.
  void add(Instant at, Seconds bracket);
  // Enough events were seen for the functions below.
  bool known() const { return events_ >= kEnough; }
  Seconds period() const { return Seconds{period_}; }
  // The event nearest to a time. Contract: known().
  GridTime nearest(Instant moment) const;
  // The last event at or before a time; empty if an event is so close that it may be before or after.
  // Contract: known().
  std::optional<GridTime> last_before(Instant moment) const;

  static constexpr std::uint64_t kEnough = 6;

 private:
  void begin(Instant at, Seconds bracket);
  GridTime event(double periods) const;

  std::optional<Seconds> nominal_;
  std::uint64_t events_ = 0;
  Instant at_;  // of the last event
  double period_ = 0;
  // Variances of `at_` and `period_`, and their covariance, in s2.
  double phase_variance_ = 0, period_variance_ = 0, covariance_ = 0;
};

}  // namespace ergon::meter
