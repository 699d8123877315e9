#include "fleet/account/activity.h"

#include <algorithm>
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
  std::erase_if(starts_, [&](Timestamp start) { return at.ns - start.ns >= kReachNs; });
  for (const Timestamp start : starts_) add(at, utilisation, start);
  if (samples_.size() >= clean_at_) {
    std::erase_if(samples_, [&](const auto& each) { return at.ns - each.first.ns > kReachNs; });
    clean_at_ = std::max(kFewest, samples_.size() * 2);
  }
  samples_.emplace_back(at, utilisation);
}

void ActivityWatch::start(Timestamp at) {
  for (const auto& [sample, utilisation] : samples_) add(sample, utilisation, at);
  starts_.push_back(at);
}

}  // namespace ergon::fleet
