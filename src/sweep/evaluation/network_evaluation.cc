#include "sweep/evaluation/network_evaluation.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::sweep {
namespace {

constexpr double kMega = 1e6;

// A network's points as columns: the clocks at which something is known, and its means.
struct Series {
  std::vector<double> clock_mhz, mean;
};

Series times_of(const std::vector<ClockPoint>& points) {
  Series series;
  for (const ClockPoint& point : points) {
    series.clock_mhz.push_back(point.clock.si() / kMega);
    series.mean.push_back(point.time.mean.si());
  }
  return series;
}

template <typename Q>
Series series_of(const std::vector<ClockPoint>& points, std::optional<Sample<Q>> ClockPoint::*what) {
  Series series;
  for (const ClockPoint& point : points) {
    if (!(point.*what)) continue;
    series.clock_mhz.push_back(point.clock.si() / kMega);
    series.mean.push_back((point.*what)->mean.si());
  }
  return series;
}

// What is known about one network, step by step.
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
      note("one repetition: variation needs at least two");
    } else if (single > 0) {
      note("one run, and so no variation, at {} of {}", single, counted(points().size(), "clock"));
    }
    if (result_.measured.without_power > 0)
      note("{} lack this kind of power",
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
    if (!result_.r_time_clock) note("time does not vary, so nothing correlates with it");
    if (powers.mean.size() < kCorrelationPoints) {
      note("power is known at {}: correlations need {}", counted(powers.mean.size(), "clock"),
           kCorrelationPoints);
    } else if (!result_.r_power_clock) {
      note("power does not vary, so nothing correlates with it");
    }
  }

  void knee() {
    const auto powers = series_of(points(), &ClockPoint::power);
    if (powers.mean.size() < kKneePoints) {
      note("power at {}: a knee needs {}", counted(powers.mean.size(), "clock"), kKneePoints);
      return;
    }
    result_.knee = find_knee(powers.clock_mhz, powers.mean, association_.confidence);
    if (!result_.knee)
      note("no knee: one line describes power over clock as well as two, or it bends gradually");
  }

  void optima() {
    std::vector<CostAt> energies, products;
    for (const ClockPoint& point : points()) {
      if (!point.energy) continue;
      energies.push_back({point.clock, point.energy->mean.si()});
      products.push_back({point.clock, *point.energy_delay()});
    }
    if (energies.empty()) {
      note("energy is unknown: neither energy nor mean power was given");
      return;
    }
    if (result_.measured.without_energy > 0)
      note("the energy of {} is unknown",
           counted(static_cast<std::uint64_t>(result_.measured.without_energy), "run"));
    if (energies.size() < 2) {
      note("energy at one clock: an optimum needs two");
      return;
    }
    result_.energy = find_optimum(energies);
    result_.energy_delay = find_optimum(products);
    const ClockPoint& highest = points().back();
    if (!highest.energy) {
      note("energy at the highest clock is unknown, so the saving is");
      return;
    }
    const auto best = std::find_if(points().begin(), points().end(), [&](const ClockPoint& point) {
      return point.clock == result_.energy->clock;
    });
    result_.energy_saving = 1 - result_.energy->cost / highest.energy->mean.si();
    result_.time_cost = (best->time.mean / highest.time.mean).si() - 1;
    if (!result_.energy->lower)
      note("the least energy is at the lowest clock measured: lower ones may cost less");
    if (!result_.energy->higher)
      note("the least energy is at the highest clock measured: higher ones may cost less");
  }

  void trends() {
    const auto fitted = [&](const Series& series, const char* what) {
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

NetworkEvaluation evaluate_network(NetworkPoints measured, const AssociationOptions& association,
                                   const TrendOptions& trend) {
  return NetworkEvaluator(std::move(measured), association, trend).run();
}

}  // namespace ergon::sweep
