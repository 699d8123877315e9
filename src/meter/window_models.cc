#include "meter/window_models.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace ergon::meter {
namespace {

struct WeightedCorrelation {
  Correlated by;
  double weight = 0;  // prior probability
};

// Power that varies everywhere: its standard deviation as a share of the swing, and its correlation. Small
// changes may be slow; large ones are loads that pause, irregularly or in iterations of about equal length.
constexpr double kSmall[] = {0.004, 0.016, 0.07}, kLarge[] = {0.3, 0.6, 1.1};
constexpr WeightedCorrelation kSlow[] = {
    {{0.004, 0}, 0.05}, {{0.015, 0}, 0.25}, {{0.06, 0}, 0.35}, {{0.25, 0}, 0.35}};
constexpr WeightedCorrelation kBursts[] = {{{0.004, 0}, 0.1},  {{0.012, 0}, 0.2},      {{0.04, 0}, 0.15},
                                           {{0.2, 0}, 0.05},   {{0.015, 0.025}, 0.15}, {{0.03, 0.05}, 0.2},
                                           {{0.06, 0.1}, 0.15}};
constexpr double kNothingVaries = 0.33;  // prior probability that nothing varies everywhere
constexpr double kBursty = 0.5;          // prior probability that power varies much, if it varies

// Work that fills the window.
constexpr double kFills = 0.6;                            // prior probability
constexpr double kUneven = 0.5;                           // prior probability that its power varies
constexpr double kInsideTimes[] = {0.005, 0.02, 0.08};    // s, of correlation
constexpr double kInsideDeviations[] = {0.03, 0.1, 0.3};  // of the swing
constexpr double kQuiet = 0.008;                          // of the swing: variation around such work
constexpr double kDelays[] = {0.004, 0.009, 0.02};        // s: it begins late or ends early
constexpr double kDelayed = 1;                            // odds of a delay

constexpr double kBegins = 0.25;  // prior probability that work begins or ends with the window

// Second integral of exp(-|x| / time) cos(2 pi x / period).
double twice_integrated(double x, const Correlated& by) {
  const double distance = std::fabs(x);
  if (by.period <= 0) return by.time * by.time * std::expm1(-distance / by.time) + by.time * distance;
  const std::complex<double> rate{1 / by.time, 2 * std::numbers::pi / by.period};
  return ((std::exp(-rate * distance) - 1.0) / (rate * rate) + distance / rate).real();
}

class ModelGrid {
 public:
  explicit ModelGrid(double length) : length_(length) {}

  void add(const Variation& everywhere, const Variation& inside, bool fills, double prior) {
    for (const bool begins : {false, true}) {
      const double share = prior * (begins ? kBegins : 1 - kBegins);
      models_.push_back({everywhere, inside, fills, begins, {}, share});
      if (!fills || begins || (inside.deviation > 0) != (everywhere.deviation > 0)) continue;
      for (const double delay : kDelays) {
        if (delay > length_ / 2) break;
        constexpr double kEach = kDelayed / (2 * std::size(kDelays));
        for (const TimeSpan& pause : {TimeSpan{0, delay}, TimeSpan{length_ - delay, length_}})
          models_.push_back({everywhere, inside, fills, begins, pause, share * kEach});
      }
    }
  }
  std::vector<WindowModel> take() { return std::move(models_); }

 private:
  double length_;
  std::vector<WindowModel> models_;
};

}  // namespace

double covariance_of(const TimeSpan& a, const TimeSpan& b, const Correlated& by) {
  return twice_integrated(a.begin - b.end, by) - twice_integrated(a.begin - b.begin, by) -
         twice_integrated(a.end - b.end, by) + twice_integrated(a.end - b.begin, by);
}

std::vector<WindowModel> window_models(double length, double swing, double max_deviation) {
  ModelGrid grid(length);
  constexpr double kVariesLittle = (1 - kNothingVaries) * (1 - kBursty) / std::size(kSmall);
  constexpr double kVariesMuch = (1 - kNothingVaries) * kBursty / std::size(kLarge);
  for (const bool fills : {false, true}) {
    const double prior = fills ? kFills * (1 - kUneven) : 1 - kFills;
    grid.add({}, {}, fills, prior * kNothingVaries);
    for (const double deviation : kSmall) {
      for (const auto& [by, weight] : kSlow)
        grid.add({by, deviation * swing}, {}, fills, prior * kVariesLittle * weight);
    }
    for (const double deviation : kLarge) {
      if (deviation * swing > max_deviation) continue;
      for (const auto& [by, weight] : kBursts)
        grid.add({by, deviation * swing}, {}, fills, prior * kVariesMuch * weight);
    }
  }
  constexpr double kUnevenPrior = kFills * kUneven / (std::size(kInsideTimes) * std::size(kInsideDeviations));
  for (const double time : kInsideTimes) {
    for (const double deviation : kInsideDeviations) {
      const Variation inside{{time, 0}, deviation * swing};
      grid.add({}, inside, true, kUnevenPrior * kNothingVaries);
      grid.add({{}, kQuiet * swing}, inside, true, kUnevenPrior * (1 - kNothingVaries));
    }
  }
  return grid.take();
}

}  // namespace ergon::meter
