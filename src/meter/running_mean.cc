// A running mean over n periods, read once a period, differs from the one before by what entered the window
// and what left it. Taken literally, x[k] = x[k - n] + n (m[k] - m[k - 1]) undoes it, but then every error of
// a reading comes back every n periods for ever. So the periods of the window are the state of a Kalman
// filter: before each reading the oldest leaves and a new one enters, whose power is that of its neighbour
// give or take a little; the reading is the mean of all. A load that begins or ends is no little change: when
// a reading is further off than noise explains, the newcomer is allowed the jump that would explain it. When
// a period leaves the window, n readings have told of it, and no other will.

#include "meter/running_mean.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/square.h"

namespace ergon::meter {
namespace {

constexpr double kCalm = 1.0;     // W from one period to the next when nothing happens
constexpr double kBefore = 0.1;   // of the first reading: how different power may have been before it
constexpr double kSurprise = 3;   // in standard deviations: a jump
constexpr Seconds kLoose{0.015};  // how well a real window's ends are where they should be (an H200's usage)
constexpr double kMissed = 1.5;   // periods without an update: one was not seen

}  // namespace

RunningMean::RunningMean(const SensorFacts& facts)
    : facts_(facts), size_(static_cast<std::size_t>(std::lround((facts.window / facts.period).si()))) {
  size_ = std::max<std::size_t>(size_, 1);
}

// Before the first reading power was what that reading says on average; when it was more and when less,
// nobody knows.
void RunningMean::begin(const Update& mean) {
  seen_ = 0;
  const double unknown = std::max(kCalm, kBefore * mean.power.si());
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
  const double surprise = mean - predicted();
  for (std::size_t i = 0; i < n; ++i) power_[i] += gain[i] / variance * surprise;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) covariance_[i * n + j] -= gain[i] * gain[j] / variance;
  }
}

// The variance of a reading that is still to come, with a newcomer that may jump.
double RunningMean::predicted_variance(double jump_variance) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) sum += covariance_[i * size_ + j];
  }
  return (sum + jump_variance) / square(static_cast<double>(size_));
}

// The oldest period, about to leave.
Update RunningMean::settle() {
  const double period = facts_.period.si();
  double others = 0;
  for (std::size_t i = 1; i < size_; ++i) {
    for (std::size_t j = 1; j < size_; ++j) others += covariance_[i * size_ + j];
  }
  // Sums over whole windows are as good as the readings: each window adds the noise of one, and what it errs
  // for not ending quite where it should.
  const auto [least, most] = std::minmax_element(power_.begin(), power_.end());
  const double loose = square((*most - *least) * kLoose.si());
  const double noise = (square(facts_.noise.si() * facts_.window.si()) + loose) / static_cast<double>(size_);
  return {bins_.front().at,      bins_.front().bracket,
          Watts{power_.front()}, facts_.period,
          JoulesSquared{noise},  JoulesSquared{std::max(0.0, others) * period * period + loose}};
}

std::vector<Update> RunningMean::add(const Update& mean) {
  std::vector<Update> settled;
  if (bins_.empty()) {
    begin(mean);
    return settled;
  }
  // Updates that were missed are filled in along a line, and trusted less.
  const Instant last = bins_.back().at;
  const Seconds since = mean.at - last;
  const auto steps = static_cast<std::size_t>(
      since > facts_.period * kMissed ? std::lround((since / facts_.period).si()) : 1);
  if (steps > 4 * size_) {  // nothing of what was known is in the window
    for (; !bins_.empty(); shift(0), bins_.pop_front()) settled.push_back(settle());
    begin(mean);
    return settled;
  }
  const double before = predicted();
  for (std::size_t step = 1; step <= steps; ++step) {
    const double share = static_cast<double>(step) / static_cast<double>(steps);
    const double reading = before + (mean.power.si() - before) * share;
    settled.push_back(settle());
    shift(square(kCalm));
    const double noise = square(facts_.noise.si()) + (step < steps ? square(mean.power.si() - before) : 0);
    bins_.pop_front();
    bins_.push_back({last + since * share, mean.bracket});
    const double surprise = reading - predicted();
    if (square(surprise) > square(kSurprise) * (predicted_variance(0) + noise)) {
      covariance_.back() += square(surprise * static_cast<double>(size_));
    }
    observe(reading, noise);
    ++seen_;
  }
  return settled;
}

}  // namespace ergon::meter
