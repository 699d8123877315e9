// Power is modeled as a Gaussian process, the sum of
//
//   - a constant level,
//   - work that fills the window: evenly, unevenly (power rises above its limit before the clock is lowered),
//     or with a delay or an early end of some milliseconds,
//   - work that begins or ends with the window: a step at either edge,
//   - work that is unrelated to the window: power that varies, irregularly or in iterations of about equal
//     length. A load that is on or off has the covariance of such a process.
//
// Readings are means of power over their averaging windows, differences of the counter are means between its
// steps, and the energy of the window is an integral. All are linear in power, so the energy has a normal
// distribution in closed form (Gaussian process regression), in which every reading and every step of the
// counter counts by its variance and by its correlation with the window.
//
// Which components there are, and how fast and how much power varies, is unknown. A grid of models is
// averaged, weighted by the probability of the data under each (Bayesian model averaging). Constant readings
// and a counter that agrees leave only noise; bursts leave the variance of what was not sampled; and work
// that no reading covers is found by the counter.

#include "meter/window_posterior.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/square.h"
#include "base/statistics/symmetric_matrix.h"
#include "meter/window_models.h"

namespace ergon::meter {
namespace {

constexpr double kContiguous = 0.2;      // of an averaging window: larger gaps are not sampled
constexpr double kShared = 0.45;         // correlation of the timing errors of contiguous windows
constexpr double kSteady = 0.3;          // of the swing: lower standard deviations are not those of bursts
constexpr std::size_t kMany = 12;        // readings that show the range of power,
constexpr double kBrief = 0.03;          // if their averaging windows are not longer, in s
constexpr double kRangeShare = 0.65;     // of the range: the highest standard deviation
constexpr double kCounterShare = 0.002;  // relative difference of the gains of counter and readings
constexpr double kCommon = 0.5;          // of the variance of the times of steps: the error of their grid
constexpr double kCounterUnit = 0.001;   // J

using statistics::SymmetricMatrix;

// Covariances of the means of all spans and of the window, for a standard deviation of 1.
struct Correlation {
  SymmetricMatrix spans;
  std::vector<double> cross;
  double window = 0;
};

struct Posterior {
  double log_weight = 0, mean = 0, variance = 0;
};

class WindowRegression {
 public:
  WindowRegression(const WindowData& data, Instant from, Instant to)
      : swing_(data.swing.si()), window_{0, (to - from).si()}, readings_(data.readings.size()) {
    const auto at = [&](Instant moment) { return (moment - from).si(); };
    for (const MeanPower& reading : data.readings) {
      spans_.push_back({at(reading.begin), at(reading.end)});
      values_.push_back(reading.power.si());
    }
    for (std::size_t i = 1; i < data.counter.size(); ++i) {
      const CounterPoint &left = data.counter[i - 1], &right = data.counter[i];
      spans_.push_back({at(left.at), at(right.at)});
      values_.push_back((right.counted - left.counted).si() / spans_.back().length());
    }
    noise_ = timing_ = SymmetricMatrix(spans_.size());
    add_errors_of_readings(data);
    add_errors_of_counter(data);
    limit_deviation();
    for (const double value : values_) level_ += value / static_cast<double>(values_.size());
    for (double& value : values_) value -= level_;
  }

  // The mean power of the window, averaged over all models.
  Posterior posterior() {
    std::vector<Posterior> all;
    for (const WindowModel& model : window_models(window_.length(), swing_, max_deviation_)) {
      if (const auto one = regress(model)) all.push_back(*one);
    }
    double highest = -1e300;
    for (const Posterior& one : all) highest = std::max(highest, one.log_weight);
    double weights = 0, mean = 0, second = 0;
    for (const Posterior& one : all) {
      const double weight = std::exp(one.log_weight - highest);
      weights += weight;
      mean += weight * one.mean;
      second += weight * (one.variance + square(one.mean));
    }
    if (!(weights > 0)) return {0, level_, square(swing_)};
    mean /= weights;
    return {0, mean + level_, std::max(0.0, second / weights - square(mean))};
  }

 private:
  void add_errors_of_readings(const WindowData& data) {
    changes_.resize(readings_);
    for (std::size_t i = 0; i < readings_; ++i) {
      noise_(i, i) = square(data.readings[i].noise.si());
      timing_(i, i) = square(data.readings[i].deviation.si() / spans_[i].length());
      if (i > 0) changes_[i] = std::max(changes_[i], std::fabs(values_[i] - values_[i - 1]));
      if (i + 1 < readings_) changes_[i] = std::max(changes_[i], std::fabs(values_[i] - values_[i + 1]));
    }
  }

  // A step at another time moves energy from one difference to the next. All steps may be earlier or later by
  // the same time, too.
  void add_errors_of_counter(const WindowData& data) {
    std::vector<double> shift(spans_.size());  // of all steps by their standard deviation
    for (std::size_t k = readings_; k < spans_.size(); ++k) {
      const std::size_t left = k - readings_, right = left + 1;
      const double length = spans_[k].length();
      const auto moved = [&](std::size_t step) {
        return power_at_step(data, step) * data.counter[step].deviation.si() / length;
      };
      shift[k] = moved(right) - moved(left);
      for (const std::size_t step : {left, right}) {
        timing_(k, k) += square(data.counter[step].deviation.si() / length);
        noise_(k, k) += (1 - kCommon) * square(moved(step)) + square(kCounterUnit / length) / 12;
      }
      if (left == 0) continue;
      const double before = spans_[k - 1].length();
      timing_(k, k - 1) = -square(data.counter[left].deviation.si()) / (length * before);
      noise_(k, k - 1) = -(1 - kCommon) * square(moved(left)) * length / before -
                         square(kCounterUnit) / (12 * length * before);
    }
    for (std::size_t i = readings_; i < spans_.size(); ++i) {
      for (std::size_t j = readings_; j <= i; ++j)
        noise_(i, j) += kCommon * shift[i] * shift[j] + square(kCounterShare) * values_[i] * values_[j];
    }
  }

  // The standard deviation of power is at most half of its range, which many means over short times show.
  void limit_deviation() {
    if (readings_ < kMany) return;
    for (std::size_t i = 0; i < readings_; ++i) {
      if (spans_[i].length() > kBrief) return;
    }
    const auto [low, high] =
        std::minmax_element(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(readings_));
    max_deviation_ = std::max(kRangeShare * (*high - *low), kSteady * swing_);
  }

  // Power at a step of the counter: the lower of the means before and after, because work fills the window
  // rather than to end with a step; while the window is open, the higher.
  double power_at_step(const WindowData& data, std::size_t step) const {
    const bool first = step == 0, last = step + 1 == data.counter.size();
    const double before = values_[readings_ + (first ? step : step - 1)];
    const double after = values_[readings_ + (last ? step - 1 : step)];
    const double at =
        spans_[readings_ + (last ? step - 1 : step)].begin + (last ? spans_.back().length() : 0);
    const double margin = 2 * data.counter[step].deviation.si();
    const bool open = at > window_.begin - margin && at < window_.end + margin;
    return open ? std::max(before, after) : std::min(before, after);
  }

  // Variance of the data from the uncertain times of updates and steps: of a reading by the change of power
  // over its averaging window, of the counter by the power at its step.
  double timing(const WindowModel& model, std::size_t i, std::size_t j) const {
    const double varies = square(model.everywhere.deviation);
    if (i >= readings_) return timing_(i, j) * varies;
    if (i != j) {
      // An edge that two averaging windows share moves energy from one to the other.
      const bool share = i == j + 1 && spans_[i].begin - spans_[j].end < kContiguous * spans_[i].length();
      return share ? -kShared * std::sqrt(timing(model, i, i) * timing(model, j, j)) : 0;
    }
    const double length = spans_[i].length();
    const double change = 2 * varies * -std::expm1(-length / model.everywhere.by.time);
    const bool steady = model.everywhere.deviation < kSteady * swing_;
    return timing_(i, i) * (steady ? square(changes_[i]) : std::min(change, square(changes_[i])));
  }

  const Correlation& correlation(const Correlated& by, bool inside) {
    const std::tuple key{by.time, by.period, inside};
    const auto found = correlations_.find(key);
    if (found != correlations_.end()) return found->second;
    const std::size_t n = spans_.size();
    Correlation all{SymmetricMatrix(n), std::vector<double>(n), 0};
    std::vector<TimeSpan> parts = spans_;
    if (inside) {
      for (TimeSpan& part : parts)
        part = {std::clamp(part.begin, window_.begin, window_.end),
                std::clamp(part.end, window_.begin, window_.end)};
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        all.spans(i, j) = covariance_of(parts[i], parts[j], by) / (spans_[i].length() * spans_[j].length());
      all.cross[i] = covariance_of(parts[i], window_, by) / (spans_[i].length() * window_.length());
    }
    all.window = covariance_of(window_, window_, by) / square(window_.length());
    return correlations_.emplace(key, std::move(all)).first->second;
  }

  std::optional<Posterior> regress(const WindowModel& model) {
    constexpr double kFar = 1e6;
    const std::size_t n = spans_.size();
    const double level = square(2 * swing_), varies = square(model.everywhere.deviation),
                 inside = square(model.inside.deviation);
    const Correlation& general = correlation(model.everywhere.by, false);
    const Correlation& within = correlation(model.inside.by, true);
    const double fills = model.fills ? square(swing_) : 0, begins = model.begins ? square(swing_) : 0;
    const double pauses = model.pause.length() > 0 ? square(swing_) : 0;
    const double own_pause = model.pause.length() / window_.length();
    const TimeSpan after_opening{0, kFar}, after_closing{window_.end, kFar};
    std::vector<double> filled(n), opened(n), closed(n), paused(n);
    for (std::size_t i = 0; i < n; ++i) {
      filled[i] = spans_[i].overlap(window_) / spans_[i].length();
      opened[i] = spans_[i].overlap(after_opening) / spans_[i].length();
      closed[i] = spans_[i].overlap(after_closing) / spans_[i].length();
      paused[i] = spans_[i].overlap(model.pause) / spans_[i].length();
    }
    SymmetricMatrix covariance(n);
    std::vector<double> cross(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        covariance(i, j) = noise_(i, j) + timing(model, i, j) + level + varies * general.spans(i, j) +
                           inside * within.spans(i, j) + fills * filled[i] * filled[j] +
                           begins * (opened[i] * opened[j] + closed[i] * closed[j]) +
                           pauses * paused[i] * paused[j];
      }
      cross[i] = level + varies * general.cross[i] + inside * within.cross[i] + fills * filled[i] +
                 begins * opened[i] + pauses * paused[i] * own_pause;
    }
    if (!covariance.factor()) return std::nullopt;
    std::vector<double> values = values_;
    covariance.solve_lower(values);
    covariance.solve_lower(cross);
    Posterior result{std::log(model.prior), 0,
                     level + varies * general.window + inside * within.window + fills + begins +
                         pauses * square(own_pause)};
    for (std::size_t i = 0; i < n; ++i) {
      result.log_weight -= square(values[i]) / 2 + std::log(covariance(i, i));
      result.mean += cross[i] * values[i];
      result.variance -= square(cross[i]);
    }
    result.variance = std::max(0.0, result.variance);
    return result;
  }

  double swing_;
  TimeSpan window_;
  std::size_t readings_;
  std::vector<TimeSpan> spans_;
  std::vector<double> values_;  // minus `level_`
  double level_ = 0;
  double max_deviation_ = 1e300;
  std::vector<double> changes_;     // of the readings to their neighbors
  SymmetricMatrix noise_, timing_;  // timing: for a power of 1 W
  std::map<std::tuple<double, double, bool>, Correlation> correlations_;
};

}  // namespace

std::optional<EnergyBetween> window_posterior(const WindowData& data, Instant from, Instant to) {
  if ((data.readings.empty() && data.counter.size() < 2) || to <= from || !(data.swing > Watts{0}))
    return std::nullopt;
  const Seconds length = to - from;
  const Posterior power = WindowRegression(data, from, to).posterior();
  return EnergyBetween{Watts{std::max(0.0, power.mean)} * length,
                       JoulesSquared{power.variance * square(length.si())}};
}

}  // namespace ergon::meter
