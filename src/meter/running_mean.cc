// Deconvolution of a running mean m over n periods, read once per period. The exact inverse is x[k] = x[k -
// n] + n (m[k] - m[k - 1]), but it repeats the error of every reading every n periods forever. Instead, the n
// periods of the window are the state of a Kalman filter. Before each reading the oldest period is removed
// and a new one is added, with the power of its predecessor plus small process noise. The reading observes
// the mean of all n periods. If a reading deviates by more than noise explains, a load has begun or ended,
// and the variance of the new period is raised by the jump that would explain the reading. A period is final
// when it leaves the window: n readings have included it, and no later one does.

#include "meter/running_mean.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/square.h"

namespace ergon::meter {
namespace {

constexpr double kProcessNoise = 1.0;    // W, change between periods at a constant load
constexpr double kInitialSpread = 0.1;   // of the first reading: deviation of the power before it
constexpr double kJumpSigmas = 3;        // standard deviations from which on a deviation is a jump
constexpr Seconds kWindowJitter{0.015};  // of the ends of the averaging window (H200, field `usage`)
constexpr double kMissedUpdate = 1.5;    // periods without an update: one was missed

}  // namespace

RunningMean::RunningMean(const SensorFacts& facts)
    : facts_(facts), size_(static_cast<std::size_t>(std::lround((facts.window / facts.period).si()))) {
  size_ = std::max<std::size_t>(size_, 1);
}

// The first reading is the mean power of the window before it; how power varied within is unknown.
void RunningMean::begin(const SensorUpdate& mean) {
  periods_ = 0;
  const double unknown = std::max(kProcessNoise, kInitialSpread * mean.power.si());
  power_.assign(size_, mean.power.si());
  covariance_.assign(size_ * size_, 0);
  for (std::size_t i = 0; i < size_; ++i) covariance_[i * size_ + i] = square(unknown);
  bins_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    bins_.push_back({mean.at + facts_.period * (-static_cast<double>(size_ - 1 - i)), mean.bracket});
  }
}

void RunningMean::shift(double jump_variance) {
  const std::size_t n = size_, last = n - 1;
  std::rotate(power_.begin(), power_.begin() + 1, power_.end());
  power_[last] = n > 1 ? power_[last - 1] : power_[last];
  std::vector<double> moved(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t from_i = std::min(i + 1, last), from_j = std::min(j + 1, last);
      moved[i * n + j] = covariance_[from_i * n + from_j];
    }
  }
  moved[last * n + last] += jump_variance;
  covariance_ = std::move(moved);
}

double RunningMean::predicted() const {
  double sum = 0;
  for (const double power : power_) sum += power;
  return sum / static_cast<double>(size_);
}

void RunningMean::observe(double mean, double noise_variance) {
  const std::size_t n = size_;
  const double share = 1.0 / static_cast<double>(n);
  std::vector<double> gain(n, 0);
  double variance = noise_variance;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) gain[i] += covariance_[i * n + j] * share;
    variance += gain[i] * share;
  }
  const double innovation = mean - predicted();
  for (std::size_t i = 0; i < n; ++i) power_[i] += gain[i] / variance * innovation;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) covariance_[i * n + j] -= gain[i] * gain[j] / variance;
  }
}

// Variance of the next reading, with the jump variance of the newest period.
double RunningMean::predicted_variance(double jump_variance) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) sum += covariance_[i * size_ + j];
  }
  return (sum + jump_variance) / square(static_cast<double>(size_));
}

// Returns the oldest period, which leaves the window.
SensorUpdate RunningMean::settle() {
  const double period = facts_.period.si();
  double others = 0;
  for (std::size_t i = 1; i < size_; ++i) {
    for (std::size_t j = 1; j < size_; ++j) others += covariance_[i * size_ + j];
  }
  // The energy of a whole window has the variance of one reading, plus that of the jitter of the window's
  // ends.
  const auto [min, max] = std::minmax_element(power_.begin(), power_.end());
  const double jitter = square((*max - *min) * kWindowJitter.si());
  const double noise = (square(facts_.noise.si() * facts_.window.si()) + jitter) / static_cast<double>(size_);
  return {bins_.front().at,      bins_.front().bracket,
          Watts{power_.front()}, facts_.period,
          JoulesSquared{noise},  JoulesSquared{std::max(0.0, others) * period * period + jitter}};
}

std::vector<SensorUpdate> RunningMean::add(const SensorUpdate& mean) {
  std::vector<SensorUpdate> settled;
  if (bins_.empty()) {
    begin(mean);
    return settled;
  }
  // Missed updates are interpolated linearly, with a higher variance.
  const Instant last = bins_.back().at;
  const Seconds since = mean.at - last;
  const auto steps = static_cast<std::size_t>(
      since > facts_.period * kMissedUpdate ? std::lround((since / facts_.period).si()) : 1);
  if (steps > 4 * size_) {  // no earlier period is in the window
    for (; !bins_.empty(); shift(0), bins_.pop_front()) settled.push_back(settle());
    begin(mean);
    return settled;
  }
  const double before = predicted();
  for (std::size_t step = 1; step <= steps; ++step) {
    const double share = static_cast<double>(step) / static_cast<double>(steps);
    const double reading = before + (mean.power.si() - before) * share;
    settled.push_back(settle());
    shift(square(kProcessNoise));
    const double noise = square(facts_.noise.si()) + (step < steps ? square(mean.power.si() - before) : 0);
    bins_.pop_front();
    bins_.push_back({last + since * share, mean.bracket});
    const double innovation = reading - predicted();
    if (square(innovation) > square(kJumpSigmas) * (predicted_variance(0) + noise)) {
      covariance_.back() += square(innovation * static_cast<double>(size_));
    }
    observe(reading, noise);
    ++periods_;
  }
  return settled;
}

}  // namespace ergon::meter
