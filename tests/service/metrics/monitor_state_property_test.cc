#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "service/metrics/monitor_state.h"

namespace ergon::service {
namespace {

struct RandomReading {
  double at = 0;
  std::optional<double> power, counter;
  bool lost = false;
};

std::vector<RandomReading> random_readings(bool counters) {
  std::vector<RandomReading> readings;
  double at = 0;
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  for (std::size_t i = 0; i < count; ++i) {
    at += *rc::gen::inRange(0, 15'000) / 1000.0;
    RandomReading reading{at, {}, {}, *rc::gen::inRange(0, 6) == 0};
    if (*rc::gen::inRange(0, 5) != 0) reading.power = *rc::gen::inRange(0, 500);
    if (counters && *rc::gen::inRange(0, 3) != 0) reading.counter = *rc::gen::inRange(0, 10'000);
    readings.push_back(reading);
  }
  return readings;
}

GpuReading given(const RandomReading& random) {
  GpuReading reading;
  reading.responding = !random.lost;
  if (random.power) reading.power = Watts{*random.power};
  if (random.counter) reading.energy = Joules{*random.counter};
  return reading;
}

Instant moment_of(double seconds) { return Instant{} + Seconds{seconds}; }

// For arbitrary readings and failures.
RC_GTEST_PROP(MonitorStateProperty, EnergyNeverDecreases, ()) {
  MonitorState state{GpuReading{}};
  Joules highest{0};
  for (const RandomReading& each : random_readings(true)) {
    state.add_reading(given(each), moment_of(each.at));
    const auto energy = state.device_at(moment_of(each.at)).reading.energy;
    if (!energy) continue;
    RC_ASSERT(*energy >= highest);
    highest = *energy;
  }
}

// Compared with the sum over all pairs of adjacent readings.
RC_GTEST_PROP(MonitorStateProperty, EnergyIsTheTrapezoidBetweenReadings, ()) {
  const auto readings = random_readings(false);
  const MonitorLimits limits;
  MonitorState state{GpuReading{}, limits};
  std::vector<RandomReading> told;
  for (const RandomReading& each : readings) {
    state.add_reading(given(each), moment_of(each.at));
    if (!each.lost && each.power) told.push_back(each);
  }
  double expected = 0;
  for (std::size_t i = 1; i < told.size(); ++i) {
    const double gap = told[i].at - told[i - 1].at;
    if (gap <= limits.max_gap.si()) expected += gap * (*told[i].power + *told[i - 1].power) / 2;
  }
  const auto newest = state.device_at(moment_of(readings.back().at)).reading;
  RC_ASSERT(newest.energy.has_value() == (!readings.back().lost && readings.back().power.has_value()));
  if (newest.energy) RC_ASSERT(std::abs(newest.energy->si() - expected) <= 1e-6 * (1 + expected));
}

RC_GTEST_PROP(MonitorStateProperty, HistoryIsBoundedAndInOrder, ()) {
  const MonitorLimits limits{.history = Seconds{30}, .spacing = Seconds{1}};
  MonitorState state{GpuReading{}, limits};
  for (RandomReading each : random_readings(true)) {
    GpuReading reading = given(each);
    reading.at = Timestamp{moment_of(each.at).ns};
    state.add_reading(reading, moment_of(each.at));
    const auto history = state.device_at(moment_of(each.at)).history;
    RC_ASSERT(history.size() <= 35u);
    for (std::size_t i = 1; i < history.size(); ++i) {
      RC_ASSERT(history[i].at - history[i - 1].at >= limits.spacing * 0.9 - Seconds{1e-9});
    }
    if (!history.empty()) RC_ASSERT(reading.at - history.front().at <= limits.history);
  }
}

}  // namespace
}  // namespace ergon::service
