#include "fleet/summary/event_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/square.h"
#include "base/text.h"
#include "fleet/reading/sample_reader.h"

namespace ergon::fleet {
namespace {

constexpr double kNs = 1e-9;
constexpr double kZ95 = 1.959963984540054;  // 97.5 % quantile of the normal distribution

template <typename Belongs>
EventDistribution distribution_of(const Tally& tally, const Belongs& belongs) {
  EventDistribution all;
  for (const auto& [key, distribution] : tally.distributions) {
    if (belongs(key)) all.merge(distribution);
  }
  return all;
}

// Numeric order; text after numbers.
bool level_before(const std::string& a, const std::string& b) {
  const auto x = parse_double(a), y = parse_double(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;
}

}  // namespace

MeanInterval mean_of(double sum, double squares, std::uint64_t count, double min, double max) {
  const auto n = static_cast<double>(count);
  const double mean = sum / n;
  const double variance = count > 1 ? std::max(0.0, (squares - n * square(mean)) / (n - 1)) : 0;
  const double error = kZ95 * std::sqrt(variance / n);
  return {mean, std::max(mean - error, std::min(min, mean)), std::min(mean + error, std::max(max, mean))};
}

EventSummary event_summary(const std::string& name, const EventTotals& totals,
                           const EventDistribution& distribution) {
  EventSummary summary;
  summary.name = name;
  summary.count = totals.events;
  summary.seconds = mean_of(totals.duration_ns * kNs, totals.duration_squares, totals.events);
  constexpr std::array kQuantiles{0.5, 0.95, 0.99};
  if (const auto quantiles = distribution.durations_ns.quantiles(kQuantiles)) {
    summary.seconds_p50 = (*quantiles)[0] * kNs;
    summary.seconds_p95 = (*quantiles)[1] * kNs;
    summary.seconds_p99 = (*quantiles)[2] * kNs;
  }
  summary.seconds_min = static_cast<double>(totals.shortest_ns) * kNs;
  summary.seconds_max = static_cast<double>(totals.longest_ns) * kNs;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    if (totals.nearest_rows[m] > 0)
      summary.nearest[m] = totals.nearest[m] / static_cast<double>(totals.nearest_rows[m]);
    if (totals.mean_events[m] > 0)
      summary.interval[m] =
          mean_of(totals.mean[m], totals.mean_squares[m], totals.mean_events[m], kPlausibleRanges[m].min,
                  m == static_cast<std::size_t>(Metric::power) ? HUGE_VAL : kPlausibleRanges[m].max);
  }
  const std::uint64_t rows = totals.nearest_rows[static_cast<std::size_t>(Metric::utilization)];
  if (rows > 0) summary.nearest_idle = static_cast<double>(totals.nearest_idle) / static_cast<double>(rows);
  summary.watts_p50 = distribution.power.quantile(0.5);
  summary.watts_p95 = distribution.power.quantile(0.95);
  summary.joules_p50 = distribution.energy.quantile(0.5);
  summary.joules_p95 = distribution.energy.quantile(0.95);
  summary.energy = totals.energy;
  if (totals.whole_events > 0)
    summary.energy_each = totals.whole_energy / static_cast<double>(totals.whole_events);
  summary.energy_sigma = Joules{std::sqrt(totals.variance)};
  summary.exclusive_energy = totals.exclusive_energy;
  summary.exclusive_time = totals.exclusive_time;
  summary.between_samples = totals.between_samples;
  summary.uncovered = totals.uncovered;
  summary.part_covered = totals.part_covered;
  summary.indivisible = totals.indivisible;
  return summary;
}

std::vector<EventSummary> event_summaries(const Tally& tally) {
  std::set<std::string> names;
  for (const auto& [key, distribution] : tally.distributions) names.insert(key.first);
  std::vector<EventSummary> summaries;
  for (const std::string& name : names) {
    const auto belongs = [&](const EventKey& key) { return key.first == name; };
    summaries.push_back(event_summary(name, totals_of(tally, belongs), distribution_of(tally, belongs)));
  }
  std::stable_sort(summaries.begin(), summaries.end(), [](const EventSummary& a, const EventSummary& b) {
    return a.seconds.value < b.seconds.value;
  });
  return summaries;
}

std::vector<EventSummary> level_summaries(const Tally& tally, const std::string& outermost) {
  std::vector<EventSummary> summaries;
  bool any = false;
  for (const auto& [key, distribution] : tally.distributions) {
    if (key.first != outermost) continue;
    any = any || !key.second.empty();
    const auto belongs = [&, level = key](const EventKey& each) { return each == level; };
    summaries.push_back(event_summary(key.second, totals_of(tally, belongs), distribution));
  }
  if (!any) return {};
  std::sort(summaries.begin(), summaries.end(),
            [](const EventSummary& a, const EventSummary& b) { return level_before(a.name, b.name); });
  return summaries;
}

std::string outermost_event(const Tally& tally) {
  std::map<std::string, double> spent;
  for (const auto& [name, host] : tally.hosts) {
    for (const auto& [key, totals] : host.event_totals) spent[key.first] += totals.duration_ns;
  }
  const auto longest = std::max_element(spent.begin(), spent.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return longest == spent.end() ? std::string{} : longest->first;
}

}  // namespace ergon::fleet
