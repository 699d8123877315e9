#include "fleet/account/activity.h"

#include <algorithm>
#include <cmath>

namespace ergon::fleet {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kReachNs = ActivityProfile::kReach * kSecondNs;

}  // namespace

void ActivityRecorder::add(Timestamp sample, double utilization, Timestamp start) {
  const std::int64_t offset = sample.ns - start.ns + kReachNs;
  if (offset < 0 || offset >= 2 * kReachNs) return;
  const auto second = static_cast<std::size_t>(offset / kSecondNs);
  profile_.sum[second] += utilization;
  ++profile_.count[second];
}

void ActivityRecorder::sample(Timestamp at, double utilization) {
  if (std::isnan(utilization)) return;
  std::erase_if(starts_, [&](Timestamp start) { return at.ns - start.ns >= kReachNs; });
  for (const Timestamp start : starts_) add(at, utilization, start);
  if (samples_.size() >= clean_at_) {
    std::erase_if(samples_, [&](const auto& each) { return at.ns - each.first.ns > kReachNs; });
    clean_at_ = std::max(kMinCapacity, samples_.size() * 2);
  }
  samples_.emplace_back(at, utilization);
}

void ActivityRecorder::start(Timestamp at) {
  for (const auto& [sample, utilization] : samples_) add(sample, utilization, at);
  starts_.push_back(at);
}

}  // namespace ergon::fleet
