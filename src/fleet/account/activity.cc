#include "fleet/account/activity.h"

#include <cmath>

namespace ergon::fleet {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kReachNs = ActivityProfile::kReach * kSecondNs;

}  // namespace

void ActivityWatch::add(Timestamp sample, double utilisation, Timestamp start) {
  const std::int64_t place = sample.ns - start.ns + kReachNs;
  if (place < 0 || place >= 2 * kReachNs) return;
  const auto second = static_cast<std::size_t>(place / kSecondNs);
  profile_.sum[second] += utilisation;
  ++profile_.count[second];
}

void ActivityWatch::sample(Timestamp at, double utilisation) {
  if (std::isnan(utilisation)) return;
  while (!starts_.empty() && at.ns - starts_.front().ns >= kReachNs) starts_.pop_front();
  while (!samples_.empty() && at.ns - samples_.front().first.ns > kReachNs) samples_.pop_front();
  for (const Timestamp start : starts_) add(at, utilisation, start);
  samples_.emplace_back(at, utilisation);
}

void ActivityWatch::start(Timestamp at) {
  for (const auto& [sample, utilisation] : samples_) add(sample, utilisation, at);
  starts_.push_back(at);
}

}  // namespace ergon::fleet
