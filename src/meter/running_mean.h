#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "meter/sensor_facts.h"
#include "meter/update.h"

namespace ergon::meter {

// Undoes the averaging of a sensor whose averaging window is longer than its update period: recovers the mean
// power of each period from running means. Returns one update per input, about one averaging window later.
// The window of a returned update is the time since the update before it.
class RunningMean {
 public:
  explicit RunningMean(const SensorFacts& facts);

  // A full averaging window has passed since the first reading.
  bool has_full_window() const { return periods_ >= size_; }
  // Returns the updates that are now final, normally one.
  std::vector<SensorUpdate> add(const SensorUpdate& mean);

 private:
  struct Bin {
    Instant at;
    Seconds bracket;
  };

  void begin(const SensorUpdate& mean);
  void shift(double jump_variance);
  void observe(double mean, double noise_variance);
  double predicted() const;
  double predicted_variance(double jump_variance) const;
  SensorUpdate settle();

  SensorFacts facts_;
  std::size_t size_;                // periods per averaging window
  std::vector<double> power_;       // the mean power of the last `size_` periods, oldest first, in W
  std::vector<double> covariance_;  // of `power_`, row-major
  std::deque<Bin> bins_;
  std::size_t periods_ = 0;  // since the first reading
};

}  // namespace ergon::meter
