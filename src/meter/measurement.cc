#include "meter/measurement.h"

#include <cmath>

#include "base/square.h"
#include "base/statistics/interval.h"
#include "meter/validity.h"

namespace ergon::meter {
namespace {

// Spread of RAPL counters, which model the package's power to within some percent (Khan et al., RAPL in
// Action, 2018).
constexpr double kCounterSpread = 0.03;

}  // namespace

DeviceMeasurement corrected(const SpanReport& report) {
  DeviceMeasurement source;
  source.report = report;
  const Seconds duration = report.end - report.begin;
  const double gain = report.sensor ? report.sensor->gain : 1;
  const Watts offset = report.sensor ? report.sensor->offset : Watts{};
  const auto true_energy = [&](Joules read) { return (read - offset * duration) / gain; };
  source.energy = true_energy(report.energy.energy);
  source.statistical = root(report.energy.variance) / gain;
  const double spread = report.sensor ? report.sensor->gain_spread : kCounterSpread;
  const Watts offset_spread = report.sensor ? report.sensor->offset_spread : Watts{};
  source.systematic =
      Joules{std::hypot((source.energy * (spread / gain)).si(), (offset_spread * duration).si() / gain)};
  if (duration > Seconds{0}) source.mean = source.energy / duration;
  source.peak = std::max(source.mean, (report.highest - offset) / gain);
  // Readings of 0 J do not cover the window: every board draws power.
  const Joules none;
  if (report.counted && report.integrated && *report.counted > none && *report.integrated > none)
    source.counter_discrepancy = ((*report.integrated - *report.counted) / *report.counted).si();
  return source;
}

DeviceMeasurement above_idle(const DeviceMeasurement& work, const DeviceMeasurement& idle) {
  const Seconds duration = work.report.end - work.report.begin;
  const Seconds idle_duration = idle.report.end - idle.report.begin;
  const double ratio = (duration / idle_duration).si();
  const double spread =
      work.report.sensor ? work.report.sensor->gain_spread / work.report.sensor->gain : kCounterSpread;
  DeviceMeasurement net = work;
  net.energy = work.energy - idle.mean * duration;
  net.mean = work.mean - idle.mean;
  net.peak = work.peak - idle.mean;
  net.statistical = Joules{std::hypot(work.statistical.si(), idle.statistical.si() * ratio)};
  net.systematic = Joules{std::fabs(net.energy.si()) * spread};
  return net;
}

// Noise of different devices is independent. Systematic errors of boards of one product may be correlated, so
// they are added linearly.
Measurement combined(std::vector<DeviceMeasurement> sources) {
  Measurement all;
  double statistical = 0, systematic = 0;
  for (DeviceMeasurement& source : sources) {
    all.energy += source.energy;
    all.mean += source.mean;
    all.peak += source.peak;
    all.duration = std::max(all.duration, source.report.end - source.report.begin);
    all.simulated = all.simulated || source.report.simulated;
    statistical += square(source.statistical.si());
    systematic += source.systematic.si();
    for (Reason& reason : reasons_against(source)) all.reasons.push_back(std::move(reason));
    for (Reason& note : notes_on(source)) all.notes.push_back(std::move(note));
    all.sources.push_back(std::move(source));
  }
  all.statistical = Joules{statistics::kInterval95 * std::sqrt(statistical)};
  all.uncertainty = Joules{statistics::kInterval95 * std::sqrt(statistical + square(systematic))};
  return all;
}

Measurement measured(const std::vector<SpanReport>& reports) {
  std::vector<DeviceMeasurement> sources;
  for (const SpanReport& report : reports) sources.push_back(corrected(report));
  return combined(std::move(sources));
}

}  // namespace ergon::meter
