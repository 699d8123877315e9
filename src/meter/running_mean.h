#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "meter/sensor_facts.h"
#include "meter/update.h"

namespace ergon::meter {

// Undoes the averaging of a sensor whose window is longer than its period: from running means, the mean power
// of each period. What goes in comes out about a window later, one for one, with the time between two
// updates as its window.
class RunningMean {
 public:
  explicit RunningMean(const SensorFacts& facts);

  // Whether all that is averaged over lies behind the first reading.
  bool knows() const { return seen_ >= size_; }
  // Updates whose power is settled now; usually one.
  std::vector<Update> add(const Update& mean);

 private:
  struct Bin {
    Instant at;
    Seconds bracket;
  };

  void begin(const Update& mean);
  void shift(double jump_variance);
  void observe(double mean, double noise_variance);
  double predicted() const;
  double predicted_variance(double jump_variance) const;
  Update settle();

  SensorFacts facts_;
  std::size_t size_;                // periods to a window
  std::vector<double> power_;       // the mean power of the last `size_` periods, oldest first, in W
  std::vector<double> covariance_;  // of these, row by row
  std::deque<Bin> bins_;
  std::size_t seen_ = 0;  // periods since the first reading
};

}  // namespace ergon::meter
