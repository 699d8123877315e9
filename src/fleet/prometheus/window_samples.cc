#include "fleet/prometheus/window_samples.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "fleet/prometheus/metric_names.h"

namespace ergon::fleet {

void WindowSamples::add(Metric metric, const Matrix& matrix) {
  for (const LabeledSeries& series : matrix.series) {
    const auto name = series.labels.find("__name__");
    const auto rank = name == series.labels.end() ? std::nullopt : rank_of(metric, name->second);
    if (!rank) continue;
    const double factor = known_names(metric)[*rank].factor;
    const auto fresh = static_cast<std::uint32_t>(gpus_.size());
    const std::uint32_t gpu = gpus_.try_emplace(gpu_of(series.labels), fresh).first->second;
    for (const SeriesValue& each : series.values) {
      if (each.at_ms < window_.first_ms || each.at_ms >= window_.last_ms + window_.step_ms) continue;
      MetricValue point{each.at_ms, gpu, static_cast<std::uint8_t>(metric), static_cast<std::uint8_t>(*rank),
                        each.value};
      if (point.value) *point.value *= factor;
      const auto m = static_cast<std::size_t>(metric);
      if (RowCounts ignored; out_of_range_[m].empty() && point.value &&
                             (plausible_or_nan(point.value, metric, ignored), ignored.out_of_range[m] > 0)) {
        const LabeledGpu labeled = gpu_of(series.labels);
        out_of_range_[m] =
            fmt::format("{} of {} on {}: {}", name->second, printable(labeled.key), printable(labeled.host),
                        out_of_range_text(metric, shortest_text(*point.value)));
      }
      points_.push_back(point);
      present_[static_cast<std::size_t>(metric)] = true;
    }
  }
}

void WindowSamples::add_simulated(const Matrix& matrix) {
  for (const LabeledSeries& series : matrix.series) {
    for (const SeriesValue& each : series.values) {
      if (each.value && *each.value > 0) simulated_.insert(gpu_of(series.labels));
    }
  }
}

std::vector<Sample> WindowSamples::rows(NameTables& names, RowCounts& counts) {
  std::vector<Code> codes(gpus_.size(), kNoCode);
  std::vector<bool> simulated(gpus_.size());
  for (const auto& [gpu, number] : gpus_) {
    simulated[number] = simulated_.contains(gpu);
    if (gpu.host.empty()) continue;
    codes[number] = names.gpus.code_of(gpu.key, {names.hosts.code_of(gpu.host), gpu.uuid, gpu.serial});
  }
  std::stable_sort(points_.begin(), points_.end(), [](const MetricValue& a, const MetricValue& b) {
    const bool a_missing = !a.value, b_missing = !b.value;
    return std::tie(a.at_ms, a.gpu, a.metric, a_missing, a.rank) <
           std::tie(b.at_ms, b.gpu, b.metric, b_missing, b.rank);
  });
  std::vector<Sample> rows;
  for (std::size_t first = 0, end = 0; first < points_.size(); first = end) {
    while (end < points_.size() && points_[end].row() == points_[first].row()) ++end;
    ++counts.rows;
    const Code gpu = codes[points_[first].gpu];
    if (gpu == kNoCode) {
      ++counts.nameless;
    } else {
      rows.push_back(row_of(first, end, gpu, counts));
      counts.simulated += simulated[points_[first].gpu] ? 1 : 0;
    }
  }
  return rows;
}

Sample WindowSamples::row_of(std::size_t first, std::size_t end, Code gpu, RowCounts& counts) const {
  PerMetric<double> values;
  std::size_t next = first;
  for (const Metric metric : kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    const bool known = next < end && points_[next].metric == m;
    values[m] = present_[m] ? plausible_or_nan(known ? points_[next].value : std::nullopt, metric, counts)
                            : std::numeric_limits<double>::quiet_NaN();
    while (next < end && points_[next].metric == m) ++next;
  }
  return {at_ms(points_[first].at_ms),   values[0],
          static_cast<float>(values[1]), static_cast<float>(values[2]),
          static_cast<float>(values[3]), gpu};
}

}  // namespace ergon::fleet
