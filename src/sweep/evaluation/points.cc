#include "sweep/evaluation/points.h"

#include <algorithm>
#include <tuple>

#include "base/statistics/moments.h"

namespace ergon::sweep {
namespace {

using statistics::Moments;

// Below this, equal runs differ only by the rounding of their time stamps.
constexpr double kRounding = 1e-12;

std::optional<double> cv_of(const Moments& moments) {
  const auto cv = moments.coefficient_of_variation();
  return cv && *cv < kRounding ? 0 : cv;
}

template <typename Q>
std::optional<RunStatistics<Q>> sample_of(const Moments& moments) {
  if (moments.count() == 0) return std::nullopt;
  RunStatistics<Q> sample;
  sample.runs = static_cast<std::int64_t>(moments.count());
  sample.mean = Q{*moments.mean()};
  if (const auto deviation = moments.standard_deviation()) sample.deviation = Q{*deviation};
  sample.cv = cv_of(moments);
  return sample;
}

auto group_of(const Observation& run) { return std::tie(run.network, run.device, run.scenario, run.batch); }

EnergySource with(EnergySource so_far, const Observation& run) {
  if (!energy_of(run)) return so_far;
  const auto here = run.energy ? EnergySource::measured : EnergySource::mean_power_times_time;
  return so_far == EnergySource::none || so_far == here ? here : EnergySource::both;
}

void set_relative_times(std::vector<ClockPoint>& points) {
  const auto fastest = std::min_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.time.mean < b.time.mean; });
  const Seconds min = fastest->time.mean;
  for (ClockPoint& point : points) point.relative_time = (point.time.mean / min).si();
}

}  // namespace

std::string_view name_of(PowerKind kind) { return kind == PowerKind::maximum ? "max" : "mean"; }

std::string_view name_of(EnergySource source) {
  switch (source) {
    case EnergySource::none:
      return "unknown";
    case EnergySource::measured:
      return "measured";
    case EnergySource::mean_power_times_time:
      return "mean power x time";
    case EnergySource::both:
      return "measured, otherwise mean power x time";
  }
  return "unknown";
}

std::optional<double> ClockPoint::energy_delay() const {
  return energy ? std::optional(energy->mean.si() * time.mean.si()) : std::nullopt;
}

std::int64_t NetworkPoints::runs() const {
  std::int64_t all = 0;
  for (const ClockPoint& point : points) all += point.runs();
  return all;
}

std::optional<Watts> power_of(const Observation& run, PowerKind kind) {
  return kind == PowerKind::maximum ? run.power_max : run.power_mean;
}

std::optional<Joules> energy_of(const Observation& run) {
  if (run.energy) return run.energy;
  return run.power_mean ? std::optional(*run.power_mean * run.time) : std::nullopt;
}

PowerKind power_kind_of(const std::vector<Observation>& runs) {
  const auto maxima = std::count_if(runs.begin(), runs.end(), [](const auto& r) { return r.power_max; });
  const auto means = std::count_if(runs.begin(), runs.end(), [](const auto& r) { return r.power_mean; });
  return maxima >= means ? PowerKind::maximum : PowerKind::mean;
}

std::vector<NetworkPoints> network_points(const std::vector<Observation>& sorted, PowerKind kind) {
  std::vector<NetworkPoints> all;
  for (auto run = sorted.begin(); run != sorted.end();) {
    NetworkPoints& network = all.emplace_back();
    std::tie(network.network, network.device, network.scenario, network.batch) = group_of(*run);
    const auto group = group_of(*run);
    while (run != sorted.end() && group_of(*run) == group) {
      const Hertz clock = run->clock;
      Moments time, power, energy, product;
      for (; run != sorted.end() && group_of(*run) == group && run->clock == clock; ++run) {
        time.add(run->time.si());
        if (const auto drawn = power_of(*run, kind)) power.add(drawn->si());
        if (const auto used = energy_of(*run)) {
          energy.add(used->si());
          product.add(used->si() * run->time.si());
        }
        network.without_power += !power_of(*run, kind);
        network.without_energy += !energy_of(*run);
        network.energy_source = with(network.energy_source, *run);
      }
      network.points.push_back({clock, *sample_of<Seconds>(time), 1, sample_of<Watts>(power),
                                sample_of<Joules>(energy), cv_of(product)});
    }
    set_relative_times(network.points);
  }
  return all;
}

}  // namespace ergon::sweep
