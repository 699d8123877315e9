#include "fleet/answers/skew.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"
#include "base/statistics/quantile.h"

namespace ergon::fleet {
namespace {

constexpr int kFarthest = 20;  // seconds that a pattern is looked for
constexpr int kCentre = static_cast<int>(ActivityProfile::kReach);
constexpr std::uint64_t kFewestSamples = 3;  // of a second
constexpr std::size_t kFewestProfiles = 8;
constexpr double kContrast = 10;       // percent of utilisation by which the pattern has to vary
constexpr double kOutOfLine = 6;       // times the usual distance from the pattern
constexpr double kFits = 0.2;          // of that distance is left after shifting
constexpr double kMuchOutside = 0.05;  // of the busy samples

using Pattern = std::array<std::optional<double>, ActivityProfile::kSeconds>;

Pattern pattern_of(const ActivityProfile& profile) {
  Pattern pattern;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (profile.count[i] >= kFewestSamples)
      pattern[i] = profile.sum[i] / static_cast<double>(profile.count[i]);
  }
  return pattern;
}

// The median of all hosts, second by second.
Pattern usual_pattern(const std::vector<Pattern>& patterns) {
  Pattern usual;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    std::vector<double> values;
    for (const Pattern& each : patterns) {
      if (each[i]) values.push_back(*each[i]);
    }
    if (values.size() >= kFewestProfiles) usual[i] = statistics::median(values);
  }
  return usual;
}

// Mean square distance of a pattern, shifted back by some seconds, from the usual one; nothing where too
// little of it is known.
std::optional<double> distance(const Pattern& pattern, const Pattern& usual, int shift) {
  double sum = 0;
  int seconds = 0;
  for (int at = kCentre - kFarthest; at < kCentre + kFarthest; ++at) {
    const int there = at + shift;
    const auto& own = pattern[static_cast<std::size_t>(there)];
    const auto& expected = usual[static_cast<std::size_t>(at)];
    if (!own || !expected) continue;
    sum += square(*own - *expected);
    ++seconds;
  }
  if (seconds < kFarthest) return std::nullopt;
  return sum / seconds;
}

bool varies(const Pattern& usual) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int at = kCentre - kFarthest; at < kCentre + kFarthest; ++at) {
    if (const auto& value = usual[static_cast<std::size_t>(at)]) {
      least = std::min(least, *value);
      most = std::max(most, *value);
    }
  }
  return most - least >= kContrast;
}

struct Shift {
  double seconds = 0, left = 0;  // the distance that is left
};

// The best of all shifts, between whole seconds by the parabola through its neighbours.
std::optional<Shift> best_shift(const Pattern& pattern, const Pattern& usual) {
  std::optional<Shift> best;
  for (int shift = -kFarthest; shift <= kFarthest; ++shift) {
    const auto left = distance(pattern, usual, shift);
    if (left && (!best || *left < best->left)) best = Shift{static_cast<double>(shift), *left};
  }
  if (!best || std::abs(best->seconds) >= kFarthest) return best;
  const auto middle = static_cast<int>(best->seconds);
  const auto before = distance(pattern, usual, middle - 1), after = distance(pattern, usual, middle + 1);
  if (!before || !after) return best;
  const double bend = *before - 2 * best->left + *after;
  if (bend > 0) best->seconds += (*before - *after) / (2 * bend);
  return best;
}

}  // namespace

void find_skew(const Tally& tally, std::vector<HostAnswer>& hosts) {
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
  if (patterns.size() < kFewestProfiles) return;
  const Pattern usual = usual_pattern(patterns);
  if (!varies(usual)) return;
  std::vector<double> distances;
  for (const Pattern& each : patterns) {
    if (const auto as_it_is = distance(each, usual, 0)) distances.push_back(*as_it_is);
  }
  if (distances.size() < kFewestProfiles) return;
  const double usual_distance = std::max(statistics::median(distances).value_or(0), 1.0);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto as_it_is = distance(patterns[i], usual, 0);
    if (!as_it_is || *as_it_is < kOutOfLine * usual_distance) continue;
    const auto best = best_shift(patterns[i], usual);
    if (best && best->left < kFits * *as_it_is) {
      hosts[i].skew = Seconds{best->seconds};
    } else {
      hosts[i].skew_unclear = outside[i] > kMuchOutside;
    }
  }
}

}  // namespace ergon::fleet
