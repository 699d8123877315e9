#include "fleet/summary/skew.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"
#include "base/statistics/quantile.h"

namespace ergon::fleet {
namespace {

constexpr int kMaxShift = 20;  // seconds
constexpr int kCenter = static_cast<int>(ActivityProfile::kReach);
constexpr std::uint64_t kMinSamples = 3;  // per second of the profile
constexpr std::size_t kMinProfiles = 8;
constexpr double kContrast = 10;       // range of the pattern, in percent of utilization
constexpr double kOutOfLine = 6;       // times the median distance from the pattern
constexpr double kFits = 0.2;          // of that distance may remain after the shift
constexpr double kMuchOutside = 0.05;  // of the busy samples lie outside events

using Pattern = std::array<std::optional<double>, ActivityProfile::kSeconds>;

Pattern pattern_of(const ActivityProfile& profile) {
  Pattern pattern;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (profile.count[i] >= kMinSamples) pattern[i] = profile.sum[i] / static_cast<double>(profile.count[i]);
  }
  return pattern;
}

// Median over all hosts for each second.
Pattern median_pattern(const std::vector<Pattern>& patterns) {
  Pattern typical;
  for (std::size_t i = 0; i < typical.size(); ++i) {
    std::vector<double> values;
    for (const Pattern& each : patterns) {
      if (each[i]) values.push_back(*each[i]);
    }
    if (values.size() >= kMinProfiles) typical[i] = statistics::median(values);
  }
  return typical;
}

// Mean squared distance of a pattern, shifted back by `shift` seconds, from the median pattern. Absent if too
// few seconds are known.
std::optional<double> distance(const Pattern& pattern, const Pattern& typical, int shift) {
  double sum = 0;
  int seconds = 0;
  for (int at = kCenter - kMaxShift; at < kCenter + kMaxShift; ++at) {
    const int there = at + shift;
    const auto& own = pattern[static_cast<std::size_t>(there)];
    const auto& expected = typical[static_cast<std::size_t>(at)];
    if (!own || !expected) continue;
    sum += square(*own - *expected);
    ++seconds;
  }
  if (seconds < kMaxShift) return std::nullopt;
  return sum / seconds;
}

bool varies(const Pattern& typical) {
  double min = HUGE_VAL, max = -HUGE_VAL;
  for (int at = kCenter - kMaxShift; at < kCenter + kMaxShift; ++at) {
    if (const auto& value = typical[static_cast<std::size_t>(at)]) {
      min = std::min(min, *value);
      max = std::max(max, *value);
    }
  }
  return max - min >= kContrast;
}

struct Shift {
  double seconds = 0, distance = 0;  // shift, and remaining distance
};

// The shift of least distance, refined between whole seconds by a parabola through its neighbors.
std::optional<Shift> best_shift(const Pattern& pattern, const Pattern& typical) {
  std::optional<Shift> best;
  for (int shift = -kMaxShift; shift <= kMaxShift; ++shift) {
    const auto left = distance(pattern, typical, shift);
    if (left && (!best || *left < best->distance)) best = Shift{static_cast<double>(shift), *left};
  }
  if (!best || std::abs(best->seconds) >= kMaxShift) return best;
  const auto middle = static_cast<int>(best->seconds);
  const auto before = distance(pattern, typical, middle - 1), after = distance(pattern, typical, middle + 1);
  if (!before || !after) return best;
  const double bend = *before - 2 * best->distance + *after;
  if (bend > 0) best->seconds += (*before - *after) / (2 * bend);
  return best;
}

}  // namespace

void find_skew(const Tally& tally, std::vector<HostSummary>& hosts) {
  std::vector<Pattern> patterns;
  std::vector<double> outside;
  for (const auto& [name, host] : tally.hosts) {
    ActivityProfile all;
    double busy = 0, busy_outside = 0;
    for (const GpuTally& gpu : host.gpus) {
      all.merge(gpu.activity);
      busy += static_cast<double>(gpu.sums.busy);
      busy_outside += static_cast<double>(gpu.sums.busy_outside);
    }
    patterns.push_back(pattern_of(all));
    outside.push_back(busy > 0 ? busy_outside / busy : 0);
  }
  if (patterns.size() < kMinProfiles) return;
  const Pattern typical = median_pattern(patterns);
  if (!varies(typical)) return;
  std::vector<double> distances;
  for (const Pattern& each : patterns) {
    if (const auto unshifted = distance(each, typical, 0)) distances.push_back(*unshifted);
  }
  if (distances.size() < kMinProfiles) return;
  const double median_distance = std::max(statistics::median(distances).value_or(0), 1.0);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto unshifted = distance(patterns[i], typical, 0);
    if (!unshifted || *unshifted < kOutOfLine * median_distance) continue;
    const auto best = best_shift(patterns[i], typical);
    if (best && best->distance < kFits * *unshifted) {
      hosts[i].skew = Seconds{best->seconds};
    } else {
      hosts[i].skew_unclear = outside[i] > kMuchOutside;
    }
  }
}

}  // namespace ergon::fleet
