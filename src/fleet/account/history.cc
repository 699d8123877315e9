#include "fleet/account/history.h"

#include <cmath>

namespace ergon::fleet {
namespace {

std::int64_t floor_divide(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

std::int64_t bin_of(Timestamp at, std::uint64_t doublings) {
  return floor_divide(floor_divide(at.ns, 1'000'000'000), History::kNarrowest << doublings);
}

// Bins 2k and 2k + 1 become bin k.
template <typename Number>
void pair_up(std::array<Number, History::kBins>& bins, bool first_is_odd) {
  std::array<Number, History::kBins> paired{};
  for (std::size_t i = 0; i < bins.size(); ++i) paired[(i + (first_is_odd ? 1 : 0)) / 2] += bins[i];
  bins = paired;
}

}  // namespace

bool History::sensible() const {
  constexpr std::int64_t kFarthest = 9'223'372'037;  // seconds from 1970 that a timestamp reaches
  if (doublings > kMostDoublings) return false;
  const std::int64_t most = kFarthest / (kNarrowest << doublings);
  return first >= -most - 1 && first <= most;
}

void History::widen() {
  const bool odd = first % 2 != 0;
  pair_up(watts, odd);
  pair_up(percent, odd);
  pair_up(watts_count, odd);
  pair_up(percent_count, odd);
  first = floor_divide(first, 2);
  ++doublings;
}

void History::add(Timestamp at, double power_watts, double utilisation_percent) {
  const bool power = !std::isnan(power_watts), used = !std::isnan(utilisation_percent);
  if (!power && !used) return;
  std::int64_t bin = bin_of(at, doublings);
  if (empty()) first = bin;
  while (bin - first >= static_cast<std::int64_t>(kBins) && doublings < kMostDoublings) {
    widen();
    bin = bin_of(at, doublings);
  }
  if (bin < first) return;
  ++samples;
  const auto place = static_cast<std::size_t>(bin - first);
  if (power) {
    watts[place] += power_watts;
    ++watts_count[place];
  }
  if (used) {
    percent[place] += utilisation_percent;
    ++percent_count[place];
  }
}

}  // namespace ergon::fleet
