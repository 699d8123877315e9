#include "sweep/evaluation/network_evaluation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/si_prefixes.h"
#include "base/text.h"

namespace ergon::sweep {
namespace {

// Clocks at which a quantity is known, and its means there.
struct MeansByClock {
  std::vector<double> clock_mhz, mean;
};

MeansByClock times_of(const std::vector<ClockPoint>& points) {
  MeansByClock series;
  for (const ClockPoint& point : points) {
    series.clock_mhz.push_back(point.clock.si() / kMega);
    series.mean.push_back(point.time.mean.si());
  }
  return series;
}

template <typename Q>
MeansByClock series_of(const std::vector<ClockPoint>& points,
                       std::optional<RunStatistics<Q>> ClockPoint::*what) {
  MeansByClock series;
  for (const ClockPoint& point : points) {
    if (!(point.*what)) continue;
    series.clock_mhz.push_back(point.clock.si() / kMega);
    series.mean.push_back((point.*what)->mean.si());
  }
  return series;
}

// Mean cost by clock.
struct Costs {
  std::vector<ClockCost> costs;
  double typical_error = 0;  // relative standard error of a mean; 0 if unknown
};

// The relative variance of repetitions is pooled over the clocks, because there are few repetitions per
// clock.
template <typename Mean, typename Variation>
Costs means_of(const std::vector<const ClockPoint*>& points, const Mean& mean, const Variation& variation) {
  double squares = 0, freedom = 0, reciprocals = 0;
  for (const ClockPoint* const point : points) {
    const auto runs = static_cast<double>(point->energy->runs);
    reciprocals += 1 / runs;
    const std::optional<double> cv = variation(*point);
    if (!cv) continue;
    squares += (runs - 1) * *cv * *cv;
    freedom += runs - 1;
  }
  Costs result;
  for (const ClockPoint* const point : points) {
    ClockCost one{point->clock, mean(*point)};
    if (freedom > 0) one.error = std::sqrt(squares / freedom / static_cast<double>(point->energy->runs));
    result.costs.push_back(one);
  }
  if (freedom > 0)
    result.typical_error = std::sqrt(squares / freedom * reciprocals / static_cast<double>(points.size()));
  return result;
}

class NetworkEvaluator {
 public:
  NetworkEvaluator(NetworkPoints measured, const AssociationOptions& association, const TrendOptions& trend)
      : association_(association), trend_(trend) {
    result_.measured = std::move(measured);
  }

  NetworkEvaluation run() && {
    repeatability();
    times();
    correlations();
    knee();
    optima();
    trends();
    return std::move(result_);
  }

 private:
  const std::vector<ClockPoint>& points() const { return result_.measured.points; }
  template <typename... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    result_.notes.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void repeatability() {
    std::size_t single = 0;
    for (const ClockPoint& point : points()) {
      single += point.runs() < 2;
      if (point.time.cv) result_.cv_time_max = std::max(result_.cv_time_max.value_or(0), *point.time.cv);
      if (point.power && point.power->cv)
        result_.cv_power_max = std::max(result_.cv_power_max.value_or(0), *point.power->cv);
    }
    if (single == points().size()) {
      note("one repetition: the cv needs at least two");
    } else if (single > 0) {
      note("one run, and therefore no cv, at {} of {}", single, counted(points().size(), "clock"));
    }
    if (result_.measured.without_power > 0)
      note("{} without this kind of power",
           counted(static_cast<std::uint64_t>(result_.measured.without_power), "run"));
  }

  void times() {
    const auto slower = [](const ClockPoint& a, const ClockPoint& b) { return a.time.mean < b.time.mean; };
    const auto fastest = std::min_element(points().begin(), points().end(), slower);
    const auto slowest = std::max_element(points().begin(), points().end(), slower);
    result_.relative_time_max = slowest->relative_time;
    result_.fastest_clock = fastest->clock;
    result_.slowest_clock = slowest->clock;
  }

  void correlations() {
    const auto powers = series_of(points(), &ClockPoint::power);
    const auto times = times_of(points());
    if (points().size() < kCorrelationPoints) {
      note("{}: correlations need {}", counted(points().size(), "clock"), kCorrelationPoints);
      return;
    }
    result_.r_time_clock = correlate(times.clock_mhz, times.mean, association_);
    result_.r_power_clock = correlate(powers.clock_mhz, powers.mean, association_);
    std::vector<double> times_with_power;
    for (const ClockPoint& point : points()) {
      if (point.power) times_with_power.push_back(point.time.mean.si());
    }
    result_.r_power_time = correlate(powers.mean, times_with_power, association_);
    if (points().size() < kIntervalPoints)
      note("{}: intervals of correlations need {}", counted(points().size(), "clock"), kIntervalPoints);
    if (!result_.r_time_clock) note("time is constant: no correlation");
    if (powers.mean.size() < kCorrelationPoints) {
      note("power at {}: correlations need {}", counted(powers.mean.size(), "clock"), kCorrelationPoints);
    } else if (!result_.r_power_clock) {
      note("power is constant: no correlation");
    }
  }

  void knee() {
    const auto powers = series_of(points(), &ClockPoint::power);
    if (powers.mean.size() < kKneePoints) {
      note("power at {}: a knee needs {}", counted(powers.mean.size(), "clock"), kKneePoints);
      return;
    }
    result_.knee = find_knee(powers.clock_mhz, powers.mean, association_.confidence);
    if (!result_.knee) note("no knee: one line or a parabola fits power over clock as well as two lines");
  }

  void optima() {
    std::vector<const ClockPoint*> known;
    for (const ClockPoint& point : points()) {
      if (point.energy) known.push_back(&point);
    }
    if (known.empty()) {
      note("energy is unknown: no energy and no mean power");
      return;
    }
    if (result_.measured.without_energy > 0)
      note("energy of {} is unknown",
           counted(static_cast<std::uint64_t>(result_.measured.without_energy), "run"));
    if (known.size() < 2) {
      note("energy at one clock: an optimum needs two");
      return;
    }
    const auto energy = [](const ClockPoint& point) { return point.energy->mean.si(); };
    const auto product = [](const ClockPoint& point) { return *point.energy_delay(); };
    const auto time = [](const ClockPoint& point) { return point.time.mean.si(); };
    Costs energies = means_of(known, energy, [](const ClockPoint& point) { return point.energy->cv; });
    Costs products = means_of(known, product, [](const ClockPoint& point) { return point.energy_delay_cv; });
    Costs times = means_of(known, time, [](const ClockPoint& point) { return point.time.cv; });
    if (energies.typical_error > kFlat) {
      auto smooth_energies = smoothed(energies.costs), smooth_products = smoothed(products.costs);
      auto smooth_times = smoothed(times.costs);
      if (smooth_energies && smooth_products && smooth_times) {
        result_.optimum_from = OptimumFrom::trend;
        energies.costs = std::move(*smooth_energies);
        products.costs = std::move(*smooth_products);
        times.costs = std::move(*smooth_times);
        note(
            "the standard error of mean energies exceeds 1 %: optima, saving and time cost are from LOESS "
            "trends");
      } else {
        note(
            "the standard error of mean energies exceeds 1 %: the optima are uncertain; too few clocks for a "
            "trend");
      }
    }
    result_.energy = find_optimum(energies.costs);
    result_.energy_delay = find_optimum(products.costs);
    if (!result_.energy->lower)
      note("minimum energy at the lowest measured clock: lower clocks may need less");
    if (!result_.energy->higher)
      note("minimum energy at the highest measured clock: higher clocks may need less");
    if (!points().back().energy) {
      note("energy at the highest clock is unknown: no saving");
      return;
    }
    const auto best = std::find_if(times.costs.begin(), times.costs.end(),
                                   [&](const ClockCost& one) { return one.clock == result_.energy->clock; });
    result_.energy_saving = 1 - result_.energy->cost / energies.costs.back().cost;
    result_.time_cost = best->cost / times.costs.back().cost - 1;
  }

  // LOESS through the logarithms, because scatter is relative, of costs relative to the first, so that units
  // do not matter. Absent if there are too few clocks.
  std::optional<std::vector<ClockCost>> smoothed(const std::vector<ClockCost>& costs) const {
    std::vector<double> clock_mhz, logarithms;
    for (const ClockCost& one : costs) {
      clock_mhz.push_back(one.clock.si() / kMega);
      logarithms.push_back(std::log(one.cost / costs.front().cost));
    }
    const auto trend = trend_at_clocks(clock_mhz, logarithms, trend_);
    if (!trend) return std::nullopt;
    std::vector<ClockCost> smooth;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const TrendValue& value = (*trend)[i];
      smooth.push_back({costs[i].clock, costs.front().cost * std::exp(value.fit), value.standard_error});
    }
    return smooth;
  }

  void trends() {
    const auto fitted = [&](const MeansByClock& series, const char* what) {
      auto trend = trend_of(series.clock_mhz, series.mean, trend_);
      if (trend) return std::move(*trend);
      note("no trend of {}: {}", what, trend.error().message);
      return std::vector<TrendPoint>();
    };
    result_.time_trend = fitted(times_of(points()), "time");
    const auto powers = series_of(points(), &ClockPoint::power);
    if (!powers.mean.empty()) result_.power_trend = fitted(powers, "power");
    const auto energies = series_of(points(), &ClockPoint::energy);
    if (!energies.mean.empty()) result_.energy_trend = fitted(energies, "energy");
  }

  const AssociationOptions& association_;
  const TrendOptions& trend_;
  NetworkEvaluation result_;
};

}  // namespace

std::string_view name_of(OptimumFrom from) { return from == OptimumFrom::means ? "means" : "trend"; }

NetworkEvaluation evaluate_network(NetworkPoints measured, const AssociationOptions& association,
                                   const TrendOptions& trend) {
  return NetworkEvaluator(std::move(measured), association, trend).run();
}

}  // namespace ergon::sweep
