// Power is modeled as a Gaussian process, the sum of
//
//   - a constant level,
//   - work that fills the window, evenly, unevenly (power rises above its limit before the clock is lowered),
//   or
//     after a delay or with an early end of some milliseconds,
//   - work that begins or ends with the window: a step at either edge,
//   - work that is unrelated to the window: power that varies, irregularly or in iterations of about equal
//   length.
//     A load that is on or off has the covariance of such a process.
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
#include <complex>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "base/square.h"

namespace ergon::meter {
namespace {

// Power that varies: its standard deviation, as a share of the swing, and its correlation. Small changes may
// be slow; large ones are loads that pause, irregularly or in iterations of about equal length.
struct Correlated {
  double time = 0;    // of correlation, in s
  double period = 0;  // in s; 0: irregular
  double weight = 0;
};
constexpr double kSmall[] = {0.004, 0.016, 0.07}, kLarge[] = {0.3, 0.6, 1.1};
constexpr Correlated kSlow[] = {{0.004, 0, 0.05}, {0.015, 0, 0.25}, {0.06, 0, 0.35}, {0.25, 0, 0.35}};
constexpr Correlated kBursts[] = {{0.004, 0, 0.1},      {0.012, 0, 0.2},   {0.04, 0, 0.15},  {0.2, 0, 0.05},
                                  {0.015, 0.025, 0.15}, {0.03, 0.05, 0.2}, {0.06, 0.1, 0.15}};
constexpr double kInsideTimes[] = {0.005, 0.02, 0.08};    // s, of work that fills the window
constexpr double kInsideDeviations[] = {0.03, 0.1, 0.3};  // of the swing
constexpr double kQuietTime = 0.06, kQuiet = 0.008;       // around such work
constexpr double kUneven = 0.5;          // prior probability that power varies while work fills the window
constexpr double kContiguous = 0.2;      // of an averaging window: larger gaps are not sampled
constexpr double kShared = 0.45;         // correlation of the timing errors of contiguous windows
constexpr double kBursty = 0.5;          // prior probability that power varies much, if it varies
constexpr std::size_t kMany = 12;        // readings that show the range of power,
constexpr double kBrief = 0.03;          // if their averaging windows are not longer, in s
constexpr double kRangeShare = 0.65;     // of the range: the highest standard deviation
constexpr double kNothingVaries = 0.33;  // prior probability that nothing else varies
constexpr double kFills = 0.6;           // prior probability that work fills the window
constexpr double kDelays[] = {0.004, 0.009, 0.02};  // s: work begins after the window opens or ends before
constexpr double kDelayed = 1;                      // odds of a delay
constexpr double kBegins = 0.25;         // prior probability that work begins or ends with the window
constexpr double kCounterShare = 0.002;  // relative difference of the gains of counter and readings
constexpr double kCommon = 0.5;          // of the variance of the times of steps: the error of their grid
constexpr double kCounterUnit = 0.001;   // J

struct TimeSpan {
  double begin = 0, end = 0;  // s

  double length() const { return end - begin; }
  double overlap(const TimeSpan& other) const {
    return std::max(0.0, std::min(end, other.end) - std::max(begin, other.begin));
  }
};

// Second integral of exp(-|x| / time) cos(2 pi x / period).
double twice_integrated(double x, const Correlated& by) {
  const double distance = std::fabs(x);
  if (by.period <= 0) return by.time * by.time * std::expm1(-distance / by.time) + by.time * distance;
  const std::complex<double> rate{1 / by.time, 2 * std::numbers::pi / by.period};
  return ((std::exp(-rate * distance) - 1.0) / (rate * rate) + distance / rate).real();
}

// Covariance of the integrals over two spans.
double covariance_of(const TimeSpan& a, const TimeSpan& b, const Correlated& by) {
  return twice_integrated(a.begin - b.end, by) - twice_integrated(a.begin - b.begin, by) -
         twice_integrated(a.end - b.end, by) + twice_integrated(a.end - b.begin, by);
}

// Row-major, symmetric.
class Matrix {
 public:
  explicit Matrix(std::size_t size) : size_(size), values_(size * size) {}

  double& operator()(std::size_t i, std::size_t j) { return values_[i * size_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }
  std::size_t size() const { return size_; }

  // Replaces the lower triangle by its Cholesky factor. False if not positive definite.
  bool factor() {
    for (std::size_t j = 0; j < size_; ++j) {
      for (std::size_t i = j; i < size_; ++i) {
        double sum = values_[i * size_ + j];
        for (std::size_t k = 0; k < j; ++k) sum -= values_[i * size_ + k] * values_[j * size_ + k];
        if (i == j) {
          if (!(sum > 0)) return false;
          values_[j * size_ + j] = std::sqrt(sum);
        } else {
          values_[i * size_ + j] = sum / values_[j * size_ + j];
        }
      }
    }
    return true;
  }
  // Solves L x = y in place, after factor().
  void solve(std::vector<double>& y) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) y[i] -= values_[i * size_ + k] * y[k];
      y[i] /= values_[i * size_ + i];
    }
  }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// Power that varies everywhere, or only while the window is open.
struct Variation {
  Correlated by{kQuietTime, 0, 1};
  double deviation = 0;
};

struct Model {
  Variation everywhere, inside;
  bool fills = false, begins = false;
  TimeSpan pause;  // without work, while the window is open
  double prior = 0;
};

// Covariances of the means of all spans and of the window, for a standard deviation of 1.
struct Correlation {
  Matrix spans{0};
  std::vector<double> cross;
  double window = 0;
};

struct Posterior {
  double log_weight = 0, mean = 0, variance = 0;
};

class WindowRegression {
 public:
  WindowRegression(const WindowData& data, Instant from, Instant to)
      : swing_(data.swing.si()), window_{0, (to - from).si()}, noise_(0), timing_(0) {
    const auto at = [&](Instant moment) { return (moment - from).si(); };
    for (const MeanPower& reading : data.readings) {
      spans_.push_back({at(reading.begin), at(reading.end)});
      values_.push_back(reading.power.si());
    }
    const std::size_t readings = spans_.size();
    for (std::size_t i = 1; i < data.counter.size(); ++i) {
      const CounterPoint &left = data.counter[i - 1], &right = data.counter[i];
      spans_.push_back({at(left.at), at(right.at)});
      values_.push_back((right.counted - left.counted).si() / spans_.back().length());
    }
    noise_ = timing_ = Matrix(spans_.size());
    changes_.resize(readings);
    for (std::size_t i = 0; i < readings; ++i) {
      noise_(i, i) = square(data.readings[i].noise.si());
      timing_(i, i) = square(data.readings[i].deviation.si() / spans_[i].length());
      if (i > 0) changes_[i] = std::max(changes_[i], std::fabs(values_[i] - values_[i - 1]));
      if (i + 1 < readings) changes_[i] = std::max(changes_[i], std::fabs(values_[i] - values_[i + 1]));
    }
    for (std::size_t k = readings; k < spans_.size(); ++k) {
      const std::size_t right = k - readings + 1;
      const double length = spans_[k].length();
      for (const std::size_t step : {right - 1, right}) {
        const double timing = square(data.counter[step].deviation.si() / length);
        timing_(k, k) += timing;
        noise_(k, k) += (1 - kCommon) * timing * square(power_at_step(data, step, readings)) +
                        square(kCounterUnit / length) / 12;
      }
      if (k == readings) continue;
      const double lengths = length * spans_[k - 1].length();
      const double timing = square(data.counter[right - 1].deviation.si()) / lengths;
      timing_(k, k - 1) = timing_(k - 1, k) = -timing;
      noise_(k, k - 1) = noise_(k - 1, k) =
          -(1 - kCommon) * timing * square(power_at_step(data, right - 1, readings)) -
          square(kCounterUnit) / (12 * lengths);
    }
    readings_ = readings;
    limit_deviation();
    // All steps earlier or later by the same time.
    std::vector<double> shift(spans_.size());
    for (std::size_t k = readings; k < spans_.size(); ++k) {
      const std::size_t right = k - readings + 1;
      shift[k] = (power_at_step(data, right, readings) * data.counter[right].deviation.si() -
                  power_at_step(data, right - 1, readings) * data.counter[right - 1].deviation.si()) /
                 spans_[k].length();
    }
    for (std::size_t i = readings; i < spans_.size(); ++i) {
      for (std::size_t j = readings; j < spans_.size(); ++j)
        noise_(i, j) += kCommon * shift[i] * shift[j] + square(kCounterShare) * values_[i] * values_[j];
    }
    for (const double value : values_) level_ += value / static_cast<double>(values_.size());
    for (double& value : values_) value -= level_;
  }

  // The mean power of the window, averaged over all models.
  Posterior posterior() {
    std::vector<Posterior> all;
    for (const Model& model : models()) {
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
  // The standard deviation of power is at most half of its range, which many means over short times show.
  void limit_deviation() {
    if (readings_ < kMany) return;
    for (std::size_t i = 0; i < readings_; ++i) {
      if (spans_[i].length() > kBrief) return;
    }
    const auto [low, high] =
        std::minmax_element(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(readings_));
    highest_deviation_ = std::max(kRangeShare * (*high - *low), kLarge[0] * swing_);
  }

  // Power at a step of the counter: the lower of the means before and after, because work fills the window
  // rather than to end with a step; while the window is open, the higher.
  double power_at_step(const WindowData& data, std::size_t step, std::size_t readings) const {
    const bool first = step == 0, last = step + 1 == data.counter.size();
    const double before = values_[readings + (first ? step : step - 1)];
    const double after = values_[readings + (last ? step - 1 : step)];
    const double at = spans_[readings + (last ? step - 1 : step)].begin + (last ? spans_.back().length() : 0);
    const double margin = 2 * data.counter[step].deviation.si();
    const bool open = at > window_.begin - margin && at < window_.end + margin;
    return open ? std::max(before, after) : std::min(before, after);
  }

  // Variance of the data from the uncertain times of updates and steps: of a reading by the change of power
  // over its averaging window, of the counter by the power at its step.
  double timing(const Model& model, std::size_t i, std::size_t j) const {
    const double varies = square(model.everywhere.deviation);
    if (i >= readings_) return timing_(i, j) * varies;
    if (i != j) {
      // An edge that two averaging windows share moves energy from one to the other.
      const bool share = i == j + 1 && spans_[i].begin - spans_[j].end < kContiguous * spans_[i].length();
      return share ? -kShared * std::sqrt(timing(model, i, i) * timing(model, j, j)) : 0;
    }
    const double length = spans_[i].length();
    const double change = 2 * varies * -std::expm1(-length / model.everywhere.by.time);
    const bool steady = model.everywhere.deviation < kLarge[0] * swing_;
    return timing_(i, i) * (steady ? square(changes_[i]) : std::min(change, square(changes_[i])));
  }

  std::vector<Model> models() const {
    std::vector<Model> all;
    const auto add = [&](const Variation& everywhere, const Variation& inside, bool fills, double prior) {
      for (const bool begins : {false, true}) {
        const double share = prior * (begins ? kBegins : 1 - kBegins);
        all.push_back({everywhere, inside, fills, begins, {}, share});
        if (!fills || begins || (inside.deviation > 0) != (everywhere.deviation > 0)) continue;
        for (const double delay : kDelays) {
          if (delay > window_.length() / 2) break;
          constexpr double kEach = kDelayed / (2 * std::size(kDelays));
          all.push_back({everywhere, inside, fills, begins, {0, delay}, share * kEach});
          all.push_back(
              {everywhere, inside, fills, begins, {window_.end - delay, window_.end}, share * kEach});
        }
      }
    };
    constexpr double kVariesLittle = (1 - kNothingVaries) * (1 - kBursty) / std::size(kSmall);
    constexpr double kVariesMuch = (1 - kNothingVaries) * kBursty / std::size(kLarge);
    constexpr double kVariesInside =
        kFills * kUneven / (std::size(kInsideTimes) * std::size(kInsideDeviations));
    for (const bool fills : {false, true}) {
      const double prior = fills ? kFills * (1 - kUneven) : 1 - kFills;
      add({}, {}, fills, prior * kNothingVaries);
      for (const double deviation : kSmall) {
        for (const Correlated& by : kSlow)
          add({by, deviation * swing_}, {}, fills, prior * kVariesLittle * by.weight);
      }
      for (const double deviation : kLarge) {
        if (deviation * swing_ > highest_deviation_) continue;
        for (const Correlated& by : kBursts)
          add({by, deviation * swing_}, {}, fills, prior * kVariesMuch * by.weight);
      }
    }
    for (const double tau : kInsideTimes) {
      for (const double deviation : kInsideDeviations) {
        const Variation inside{{tau, 0, 1}, deviation * swing_};
        add({}, inside, true, kVariesInside * kNothingVaries);
        add({{kQuietTime, 0, 1}, kQuiet * swing_}, inside, true, kVariesInside * (1 - kNothingVaries));
      }
    }
    return all;
  }

  const Correlation& correlation(const Correlated& by, bool inside) {
    const std::tuple key{by.time, by.period, inside};
    const auto found = correlations_.find(key);
    if (found != correlations_.end()) return found->second;
    const std::size_t n = spans_.size();
    Correlation all{Matrix(n), std::vector<double>(n), 0};
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

  std::optional<Posterior> regress(const Model& model) {
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
    Matrix covariance(n);
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
    covariance.solve(values);
    covariance.solve(cross);
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
  std::vector<TimeSpan> spans_;
  std::vector<double> values_;  // minus `level_`
  double level_ = 0;
  std::size_t readings_ = 0;
  double highest_deviation_ = 1e300;
  std::vector<double> changes_;  // of the readings to their neighbors
  Matrix noise_, timing_;        // timing: for a power of 1 W
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
