#include "fleet/summary/heat_map.h"

#include <algorithm>

namespace ergon::fleet {
namespace {

// Number of the bin that contains `bin` after `more` doublings of the width.
std::int64_t coarser(std::int64_t bin, std::uint64_t more) {
  return bin >> std::min<std::uint64_t>(more, 62);
}

struct Range {
  std::int64_t first = INT64_MAX, last = INT64_MIN;

  std::int64_t size() const { return last - first + 1; }
};

template <typename Use>
void each_history(const Tally& tally, const Use& use) {
  for (const auto& [name, host] : tally.hosts) {
    for (const GpuTally& gpu : host.gpus) {
      if (!gpu.history.empty()) use(gpu.history);
    }
  }
}

// The range of bins with samples, after `doublings` doublings of the width.
Range range_of(const Tally& tally, std::uint64_t doublings) {
  Range range;
  each_history(tally, [&](const GpuHistory& history) {
    for (std::size_t i = 0; i < GpuHistory::kBins; ++i) {
      if (history.watts_count[i] + history.percent_count[i] == 0) continue;
      const std::int64_t bin =
          coarser(history.first + static_cast<std::int64_t>(i), doublings - history.doublings);
      range.first = std::min(range.first, bin);
      range.last = std::max(range.last, bin);
    }
  });
  return range;
}

// Bins that fit all GPUs: at most `max_bins` of them.
struct CommonBins {
  std::uint64_t doublings = 0;
  Range range;

  bool any() const { return range.first <= range.last; }
  std::int64_t width() const {
    return GpuHistory::kMinWidth << std::min(doublings, GpuHistory::kMaxDoublings);
  }
};

CommonBins common_bins(const Tally& tally, std::size_t max_bins) {
  CommonBins bins;
  each_history(tally,
               [&](const GpuHistory& each) { bins.doublings = std::max(bins.doublings, each.doublings); });
  bins.range = range_of(tally, bins.doublings);
  while (bins.any() && bins.range.size() > static_cast<std::int64_t>(max_bins))
    bins.range = range_of(tally, ++bins.doublings);
  return bins;
}

struct Sums {
  double sum = 0;
  std::uint64_t count = 0;
};

std::vector<Sums> sums_of(const std::array<double, GpuHistory::kBins>& sums,
                          const std::array<std::uint64_t, GpuHistory::kBins>& counts,
                          const GpuHistory& history, std::uint64_t doublings, const Range& range) {
  std::vector<Sums> bins(static_cast<std::size_t>(range.size()));
  for (std::size_t i = 0; i < GpuHistory::kBins; ++i) {
    if (counts[i] == 0) continue;
    const auto bin = coarser(history.first + static_cast<std::int64_t>(i), doublings - history.doublings);
    if (bin < range.first || bin > range.last) continue;
    Sums& into = bins[static_cast<std::size_t>(bin - range.first)];
    into.sum += sums[i];
    into.count += counts[i];
  }
  return bins;
}

// Start of a bin, limited to the range of Timestamp.
Timestamp start_of_bin(std::int64_t bin, std::int64_t width_seconds) {
  const double seconds = static_cast<double>(bin) * static_cast<double>(width_seconds);
  constexpr double kMaxSeconds = 9.2e9;
  if (seconds < -kMaxSeconds) return Timestamp{INT64_MIN};
  if (seconds > kMaxSeconds) return Timestamp{INT64_MAX};
  return Timestamp{bin * width_seconds * 1'000'000'000};
}

using HostRow = std::vector<std::optional<double>>;

// Adds the means of a GPU to the row of its host.
void add_means(HostRow& row, std::vector<int>& gpus, const std::vector<Sums>& bins) {
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].count == 0) continue;
    row[i] = row[i].value_or(0) + bins[i].sum / static_cast<double>(bins[i].count);
    ++gpus[i];
  }
}

}  // namespace

HeatMap heat_map_of(const Tally& tally) {
  HeatMap map;
  const CommonBins common = common_bins(tally, HeatMap::kMaxBins);
  if (!common.any()) return map;
  const auto& [doublings, range] = common;
  map.bin = Seconds{static_cast<double>(common.width())};
  map.start = start_of_bin(range.first, common.width());
  for (const auto& [name, host] : tally.hosts) {
    if (map.hosts.size() == HeatMap::kMaxHosts) {
      ++map.hosts_omitted;
      continue;
    }
    const auto bins = static_cast<std::size_t>(range.size());
    HostRow watts(bins), percent(bins);
    std::vector<int> powered(bins), used(bins);
    for (const GpuTally& gpu : host.gpus) {
      const GpuHistory& history = gpu.history;
      add_means(watts, powered, sums_of(history.watts, history.watts_count, history, doublings, range));
      add_means(percent, used, sums_of(history.percent, history.percent_count, history, doublings, range));
    }
    for (std::size_t i = 0; i < bins; ++i) {
      if (percent[i]) *percent[i] /= used[i];
    }
    map.hosts.push_back(name);
    map.watts.push_back(std::move(watts));
    map.percent.push_back(std::move(percent));
  }
  return map;
}

FleetOverTime fleet_over_time(const Tally& tally) {
  FleetOverTime all;
  const CommonBins common = common_bins(tally, FleetOverTime::kMaxRows);
  if (!common.any()) return all;
  const auto& [doublings, range] = common;
  const auto bins = static_cast<std::size_t>(range.size());
  HostRow watts(bins), percent(bins);
  std::vector<int> powered(bins), used(bins);
  each_history(tally, [&, doublings = doublings, range = range](const GpuHistory& history) {
    add_means(watts, powered, sums_of(history.watts, history.watts_count, history, doublings, range));
    add_means(percent, used, sums_of(history.percent, history.percent_count, history, doublings, range));
  });
  all.bin = Seconds{static_cast<double>(common.width())};
  for (std::size_t i = 0; i < bins; ++i) {
    if (percent[i]) *percent[i] /= used[i];
    all.rows.push_back({start_of_bin(range.first + static_cast<std::int64_t>(i), common.width()),
                        static_cast<std::uint64_t>(powered[i]), watts[i], percent[i]});
  }
  return all;
}

}  // namespace ergon::fleet
