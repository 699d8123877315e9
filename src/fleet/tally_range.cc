#include "fleet/tally_range.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"
#include "base/text.h"
#include "fleet/reading/sample_reader.h"

namespace ergon::fleet {
namespace {

constexpr double kRounding = 1e-6;  // relative, of sums
constexpr double kSketchError = 0.011;
constexpr double kMaxWatts = kPlausibleRanges[static_cast<std::size_t>(Metric::power)].max;  // of a GPU
constexpr double kMaxPercent = kPlausibleRanges[static_cast<std::size_t>(Metric::utilization)].max;

constexpr double kMaxSpan = 1.85e10;   // seconds, the range of a timestamp
constexpr double kMaxStrength = 1e30;  // of a change between durations that are equal but for rounding

double seconds_of(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

// Keeps the first number that is out of range. NaN is out of every range.
class RangeCheck {
 public:
  void at(std::string place) { place_ = std::move(place); }

  void between(std::string_view field, double value, double min, double max, std::string_view unit) {
    const auto slack = [](double bound) { return kRounding * std::max(1.0, std::abs(bound)); };
    if (!wrong_.empty() || (value >= min - slack(min) && value <= max + slack(max))) return;
    wrong_ = fmt::format("{}: {} is {:.6g} {}; expected {:.6g} to {:.6g} {}", place_, field, value, unit, min,
                         max, unit);
  }
  void at_most(std::string_view field, std::uint64_t count, std::uint64_t max) {
    if (!wrong_.empty() || count <= max) return;
    wrong_ = fmt::format("{}: {} is {}; expected at most {}", place_, field, count, max);
  }
  // A sum of `count` values of a metric, each over `gpus` GPUs if it is power.
  void sum(std::string_view of, Metric metric, double value, std::uint64_t count, std::uint64_t gpus = 1) {
    const auto m = static_cast<std::size_t>(metric);
    const double times =
        static_cast<double>(count) * (metric == Metric::power ? static_cast<double>(gpus) : 1);
    between(fmt::format("{} {}", of, kMetricNames[m]), value, times * kPlausibleRanges[m].min,
            times * kPlausibleRanges[m].max, kMetricUnits[m]);
  }
  // Energy of at most `watts` during a time of at most `max`.
  void spent(std::string_view name, const EnergyTime& each, double max_seconds, double watts = kMaxWatts) {
    between(fmt::format("time {}", name), each.time.si(), 0, max_seconds, "s");
    between(fmt::format("energy {}", name), each.energy.si(), 0,
            watts * std::min(each.time.si(), max_seconds), "J");
  }

  Result<> take() const {
    if (wrong_.empty()) return {};
    return fail(Errc::invalid_input, "{}", wrong_);
  }

 private:
  std::string place_, wrong_;
};

void check_events(const EventTotals& totals, std::uint64_t gpus, double max_event, RangeCheck& check) {
  const auto n = static_cast<double>(totals.events);
  const double seconds = totals.duration_ns / 1e9, longest = seconds_of(totals.longest_ns),
               shortest = seconds_of(totals.shortest_ns);
  check.between("shortest duration", shortest, 0, max_event, "s");
  check.between("longest duration", longest, 0, max_event, "s");
  check.between("sum of durations", seconds, n * shortest, n * longest, "s");
  check.between("sum of squared durations", totals.duration_squares, 0, seconds * longest, "s^2");
  for (const Metric metric : kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    check.at_most("number of nearest samples", totals.nearest_rows[m], 2 * totals.events);
    check.sum("sum of nearest", metric, totals.nearest[m], totals.nearest_rows[m], gpus);
    check.at_most("number of means", totals.mean_events[m], totals.events);
    check.sum("sum of mean", metric, totals.mean[m], totals.mean_events[m], gpus);
    const double most = kPlausibleRanges[m].max * (metric == Metric::power ? static_cast<double>(gpus) : 1);
    check.between(fmt::format("sum of squared mean {}", kMetricNames[m]), totals.mean_squares[m], 0,
                  static_cast<double>(totals.mean_events[m]) * square(most), "");
  }
  const double most = kMaxWatts * static_cast<double>(gpus) * seconds;
  check.between("energy", totals.energy.si(), 0, most, "J");
  check.between("variance of the energy", totals.variance, 0, square(most), "J^2");
  check.between("energy of fully covered events", totals.whole_energy.si(), 0, totals.energy.si(), "J");
  check.between("exclusive energy", totals.exclusive_energy.si(), 0, totals.energy.si(), "J");
  check.between("exclusive time", totals.exclusive_time.si(), 0, static_cast<double>(gpus) * seconds, "s");
  for (const std::uint64_t count : {totals.whole_events, totals.between_samples, totals.uncovered,
                                    totals.part_covered, totals.indivisible})
    check.at_most("number of events of one kind", count, totals.events);
}

void check_gpu(const GpuTally& gpu, RangeCheck& check) {
  const GpuSums& sums = gpu.sums;
  for (const Metric metric : kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    check.at_most("number of values", sums.count[m], sums.samples);
    check.sum("sum of", metric, sums.sum[m], sums.count[m]);
  }
  const double span = sums.samples > 0 ? seconds_of(sums.last.ns) - seconds_of(sums.first.ns) : 0;
  check.between("time from the first to the last sample", span, 0, kMaxSpan, "s");
  check.spent("in total", sums.total, span);
  const double total = sums.total.time.si();
  check.spent("idle before events", sums.idle_before, total);
  check.spent("idle between events", sums.idle_between, total);
  check.spent("idle after events", sums.idle_after, total);
  check.spent("unattributed", sums.unattributed, total);
  check.spent("during events", sums.events, total);
  check.spent("of several tasks", sums.shared, sums.events.time.si());
  EnergyTime parts = sums.idle();
  parts += sums.unattributed;
  parts += sums.events;
  const double joules = sums.total.energy.si();
  check.between("sum of the parts of the energy", parts.energy.si(), joules, joules, "J");
  check.between("sum of the parts of the time", parts.time.si(), total, total, "s");
  check.between("time of gaps", sums.gap_time.si(), 0, span, "s");
  check.at_most("number of busy samples", sums.busy, sums.samples);
  check.at_most("number of busy samples outside events", sums.busy_outside, sums.busy);
  for (std::size_t i = 0; i < ActivityProfile::kSeconds; ++i)
    check.between("utilization around STARTs", gpu.activity.sum[i], 0,
                  kMaxPercent * static_cast<double>(gpu.activity.count[i]), "%");
  for (std::size_t i = 0; i < GpuHistory::kBins; ++i) {
    check.between("power over time", gpu.history.watts[i], 0,
                  kMaxWatts * static_cast<double>(gpu.history.watts_count[i]), "W");
    check.between("utilization over time", gpu.history.percent[i], 0,
                  kMaxPercent * static_cast<double>(gpu.history.percent_count[i]), "%");
  }
}

void check_distribution(const EventDistribution& distribution, double max_event, double max_watts,
                        RangeCheck& check) {
  const auto events = static_cast<double>(distribution.durations_ns.count());
  if (const auto& sketch = distribution.durations_ns.sketch()) {
    sketch->each([&](double value, double) {
      check.between("duration", value / 1e9, 0, max_event * (1 + kSketchError), "s");
    });
  } else {
    for (const auto& [value, times] : distribution.durations_ns.counts())
      check.between("duration", seconds_of(value), 0, max_event, "s");
  }
  const auto each_of = [&](std::string_view field, const statistics::QuantileSketch& sketch, double max,
                           std::string_view unit) {
    check.between(fmt::format("number of values of {}", field), sketch.count(), 0, events, "");
    sketch.each([&](double value, double weight) {
      check.between(field, value, 0, max * (1 + kSketchError), unit);
      check.between(fmt::format("weight of {}", field), weight, 0, events, "");
    });
  };
  each_of("power", distribution.power, max_watts, "W");
  each_of("energy", distribution.energy, max_watts * max_event, "J");
}

}  // namespace

Result<> check_range(const Tally& tally) {
  RangeCheck check;
  check.at("rules");
  const double max_event = tally.rules.max_event.si();
  check.between("gap_seconds", tally.rules.gap.si(), 0, kMaxGap.si(), "s");
  check.between("longest_event_seconds", max_event, 0, kMaxEventDuration.si(), "s");
  std::size_t most_gpus = 0;
  for (const auto& [name, host] : tally.hosts) {
    most_gpus = std::max(most_gpus, host.gpus.size());
    for (const auto& [key, totals] : host.event_totals) {
      check.at(fmt::format("host {}, event {}", printable(name), printable(key.first)));
      check_events(totals, host.gpus.size(), max_event, check);
    }
    for (const GpuTally& gpu : host.gpus) {
      check.at(fmt::format("host {}, GPU {}", printable(name), printable(gpu.uuid)));
      check_gpu(gpu, check);
    }
    for (const auto& [event, change] : host.changes) {
      check.at(fmt::format("host {}, change of {}", printable(name), printable(event)));
      check.between("duration before", change.before_seconds, 0, max_event, "s");
      check.between("duration after", change.after_seconds, 0, max_event, "s");
      check.between("strength", change.strength, 0, kMaxStrength, "standard errors");
    }
  }
  for (const auto& [key, distribution] : tally.distributions) {
    check.at(fmt::format("distribution of event {}", printable(key.first)));
    check_distribution(distribution, max_event, kMaxWatts * static_cast<double>(most_gpus), check);
  }
  for (const LongEventRecord& each : tally.longest) {
    check.at(fmt::format("long event {} of host {}", printable(each.event), printable(each.host)));
    const double seconds = seconds_of(each.duration_ns);
    check.between("duration", seconds, 0, max_event, "s");
    const auto host = tally.hosts.find(each.host);
    const std::size_t gpus = host == tally.hosts.end() ? 0 : host->second.gpus.size();
    if (each.energy)
      check.between("energy", each.energy->si(), 0, kMaxWatts * static_cast<double>(gpus) * seconds, "J");
  }
  return check.take();
}

}  // namespace ergon::fleet
