#include "fleet/account/gpu_history.h"

#include <cmath>

namespace ergon::fleet {
namespace {

std::int64_t floor_divide(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

std::int64_t bin_of(Timestamp at, std::uint64_t doublings) {
  return floor_divide(floor_divide(at.ns, 1'000'000'000), GpuHistory::kMinWidth << doublings);
}

// Bins 2k and 2k + 1 become bin k.
template <typename Number>
void pair_up(std::array<Number, GpuHistory::kBins>& bins, bool first_is_odd) {
  std::array<Number, GpuHistory::kBins> paired{};
  for (std::size_t i = 0; i < bins.size(); ++i) paired[(i + (first_is_odd ? 1 : 0)) / 2] += bins[i];
  bins = paired;
}

}  // namespace

bool GpuHistory::is_valid() const {
  constexpr std::int64_t kMaxSeconds = 9'223'372'037;  // from 1970, the range of a timestamp
  if (doublings > kMaxDoublings) return false;
  const std::int64_t max = kMaxSeconds / (kMinWidth << doublings);
  return first >= -max - 1 && first <= max;
}

void GpuHistory::widen() {
  const bool odd = first % 2 != 0;
  pair_up(watts, odd);
  pair_up(percent, odd);
  pair_up(watts_count, odd);
  pair_up(percent_count, odd);
  first = floor_divide(first, 2);
  ++doublings;
}

void GpuHistory::add(Timestamp at, double power_watts, double utilization_percent) {
  const bool power = !std::isnan(power_watts), used = !std::isnan(utilization_percent);
  if (!power && !used) return;
  std::int64_t bin = bin_of(at, doublings);
  if (empty()) first = bin;
  while (bin - first >= static_cast<std::int64_t>(kBins) && doublings < kMaxDoublings) {
    widen();
    bin = bin_of(at, doublings);
  }
  if (bin < first) return;
  ++samples;
  const auto i = static_cast<std::size_t>(bin - first);
  if (power) {
    watts[i] += power_watts;
    ++watts_count[i];
  }
  if (used) {
    percent[i] += utilization_percent;
    ++percent_count[i];
  }
}

}  // namespace ergon::fleet
