// Compares with binning all samples at the end.

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fleet/account/gpu_history.h"

namespace ergon::fleet {
namespace {

struct TimedSample {
  std::int64_t ns;
  double watts, percent;
};

std::vector<TimedSample> ordered_samples() {
  std::vector<TimedSample> samples;
  std::int64_t at = *rc::gen::inRange<std::int64_t>(-2'000, 2'000) * 1'000'000'000;
  // Samples every second, every hour, or mixed.
  const auto longest = *rc::gen::element<std::int64_t>(3'000, 1'000'000, 100'000'000);
  const int count = *rc::gen::inRange(0, 200);
  const auto drawn = [] {
    const int number = *rc::gen::inRange(-3, 10);
    return number < 0 ? std::nan("") : static_cast<double>(number);
  };
  for (int i = 0; i < count; ++i) {
    at += *rc::gen::inRange<std::int64_t>(0, longest) * 1'000'000;
    samples.push_back({at, drawn(), drawn()});
  }
  return samples;
}

// Bin of a whole second, by counting down, without a division that rounds.
std::int64_t plain_bin(std::int64_t ns, std::int64_t width_seconds) {
  return static_cast<std::int64_t>(
      std::floor(static_cast<long double>(ns) / 1e9L / static_cast<long double>(width_seconds)));
}

RC_GTEST_PROP(GpuHistoryProperty, EqualsBinningAllSamples, ()) {
  const auto samples = ordered_samples();
  GpuHistory history;
  for (const TimedSample& each : samples) history.add({each.ns}, each.watts, each.percent);
  RC_ASSERT(history.is_valid());
  const std::int64_t width = GpuHistory::kMinWidth << history.doublings;
  std::map<std::int64_t, std::pair<double, std::uint64_t>> watts, percent;
  std::uint64_t with_values = 0;
  for (const TimedSample& each : samples) {
    const std::int64_t bin = plain_bin(each.ns, width);
    if (!std::isnan(each.watts)) watts[bin].first += each.watts, ++watts[bin].second;
    if (!std::isnan(each.percent)) percent[bin].first += each.percent, ++percent[bin].second;
    with_values += std::isnan(each.watts) && std::isnan(each.percent) ? 0U : 1U;
  }
  RC_ASSERT(history.samples == with_values);
  std::size_t full = 0;
  for (std::size_t i = 0; i < GpuHistory::kBins; ++i) {
    const std::int64_t bin = history.first + static_cast<std::int64_t>(i);
    const auto in = [&](const auto& bins) {
      const auto found = bins.find(bin);
      return found == bins.end() ? std::pair<double, std::uint64_t>{} : found->second;
    };
    RC_ASSERT(in(watts) == std::pair(history.watts[i], history.watts_count[i]));
    RC_ASSERT(in(percent) == std::pair(history.percent[i], history.percent_count[i]));
    full += in(watts).second > 0 ? 1U : 0U;
  }
  RC_ASSERT(full == watts.size());
}

// At half the bin width the samples would not fit.
RC_GTEST_PROP(GpuHistoryProperty, UsesTheSmallestBinWidth, ()) {
  const auto samples = ordered_samples();
  GpuHistory history;
  std::optional<std::int64_t> first, last;
  for (const TimedSample& each : samples) {
    history.add({each.ns}, each.watts, each.percent);
    if (std::isnan(each.watts) && std::isnan(each.percent)) continue;
    if (!first) first = each.ns;
    last = each.ns;
  }
  if (history.doublings == 0) return;
  const std::int64_t half = GpuHistory::kMinWidth << (history.doublings - 1);
  RC_ASSERT(plain_bin(*last, half) - plain_bin(*first, half) >= static_cast<std::int64_t>(GpuHistory::kBins));
}

}  // namespace
}  // namespace ergon::fleet
