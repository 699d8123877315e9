#include "fleet/answers/event_answers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/square.h"
#include "base/text.h"

namespace ergon::fleet {
namespace {

constexpr double kNs = 1e-9;
constexpr double kNinetyFive = 1.959963984540054;  // deviations of a normal that hold 95 %

template <typename Belongs>
Spread spread_of(const Tally& tally, const Belongs& belongs) {
  Spread all;
  for (const auto& [key, spread] : tally.spreads) {
    if (belongs(key)) all.merge(spread);
  }
  return all;
}

// "4" before "12", and words behind numbers.
bool level_before(const std::string& a, const std::string& b) {
  const auto x = parse_double(a), y = parse_double(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;
}

}  // namespace

MeanAnswer mean_of(double sum, double squares, std::uint64_t count) {
  const auto n = static_cast<double>(count);
  const double mean = sum / n;
  const double variance = count > 1 ? std::max(0.0, (squares - n * square(mean)) / (n - 1)) : 0;
  const double error = kNinetyFive * std::sqrt(variance / n);
  return {mean, mean - error, mean + error};
}

EventAnswer event_answer(const std::string& name, const Cell& cell, const Spread& spread) {
  EventAnswer answer;
  answer.name = name;
  answer.count = cell.events;
  answer.seconds = mean_of(static_cast<double>(cell.duration_ns) * kNs, cell.duration_squares, cell.events);
  constexpr std::array kShares{0.5, 0.95, 0.99};
  if (const auto quantiles = spread.durations_ns.quantiles(kShares)) {
    answer.seconds_p50 = (*quantiles)[0] * kNs;
    answer.seconds_p95 = (*quantiles)[1] * kNs;
    answer.seconds_p99 = (*quantiles)[2] * kNs;
  }
  answer.seconds_least = static_cast<double>(cell.shortest_ns) * kNs;
  answer.seconds_most = static_cast<double>(cell.longest_ns) * kNs;
  for (std::size_t m = 0; m < kMetrics; ++m) {
    if (cell.nearest_rows[m] > 0)
      answer.nearest[m] = cell.nearest[m] / static_cast<double>(cell.nearest_rows[m]);
    if (cell.mean_events[m] > 0)
      answer.interval[m] = mean_of(cell.mean[m], cell.mean_squares[m], cell.mean_events[m]);
  }
  const std::uint64_t rows = cell.nearest_rows[static_cast<std::size_t>(Metric::utilisation)];
  if (rows > 0) answer.nearest_unused = static_cast<double>(cell.nearest_unused) / static_cast<double>(rows);
  answer.watts_p50 = spread.power.quantile(0.5);
  answer.watts_p95 = spread.power.quantile(0.95);
  answer.joules_p50 = spread.energy.quantile(0.5);
  answer.joules_p95 = spread.energy.quantile(0.95);
  answer.energy = cell.energy;
  if (cell.whole_events > 0) answer.energy_each = cell.whole_energy / static_cast<double>(cell.whole_events);
  answer.energy_sigma = Joules{std::sqrt(cell.variance)};
  answer.own_energy = cell.own_energy;
  answer.own_time = cell.own_time;
  answer.between_samples = cell.between_samples;
  answer.uncovered = cell.uncovered;
  answer.part_covered = cell.part_covered;
  return answer;
}

std::vector<EventAnswer> event_answers(const Tally& tally) {
  std::set<std::string> names;
  for (const auto& [key, spread] : tally.spreads) names.insert(key.first);
  std::vector<EventAnswer> answers;
  for (const std::string& name : names) {
    const auto belongs = [&](const EventKey& key) { return key.first == name; };
    answers.push_back(event_answer(name, cell_of(tally, belongs), spread_of(tally, belongs)));
  }
  std::stable_sort(answers.begin(), answers.end(), [](const EventAnswer& a, const EventAnswer& b) {
    return a.seconds.value < b.seconds.value;
  });
  return answers;
}

std::vector<EventAnswer> level_answers(const Tally& tally, const std::string& outermost) {
  std::vector<EventAnswer> answers;
  bool any = false;
  for (const auto& [key, spread] : tally.spreads) {
    if (key.first != outermost) continue;
    any = any || !key.second.empty();
    const auto belongs = [&, level = key](const EventKey& each) { return each == level; };
    answers.push_back(event_answer(key.second, cell_of(tally, belongs), spread));
  }
  if (!any) return {};
  std::sort(answers.begin(), answers.end(),
            [](const EventAnswer& a, const EventAnswer& b) { return level_before(a.name, b.name); });
  return answers;
}

std::string outermost_event(const Tally& tally) {
  std::map<std::string, std::int64_t> spent;
  for (const auto& [name, host] : tally.hosts) {
    for (const auto& [key, cell] : host.cells) spent[key.first] += cell.duration_ns / 1000;
  }
  const auto most = std::max_element(spent.begin(), spent.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == spent.end() ? std::string{} : most->first;
}

}  // namespace ergon::fleet
