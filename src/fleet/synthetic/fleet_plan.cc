#include "fleet/synthetic/fleet_plan.h"

#include <cmath>

#include "base/units_text.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
// 1700 to 2200: within the range of Timestamp, with room for the duration and the skew.
constexpr Timestamp kEarliestStart{-8'520'336'000'000'000'000}, kLatestStart{7'258'118'400'000'000'000};

}  // namespace

Result<> check(const FleetPlan& plan) {
  if (plan.hosts == 0 || plan.hosts > kMaxHosts)
    return fail(Errc::invalid_input, "--hosts: {1} is not 1 to {0}", kMaxHosts, plan.hosts);
  if (plan.gpus_per_host == 0 || plan.gpus_per_host > kMaxGpusPerHost)
    return fail(Errc::invalid_input, "--gpus-per-host: {1} is not 1 to {0}", kMaxGpusPerHost,
                plan.gpus_per_host);
  if (!(plan.duration > Seconds{0} && plan.duration <= kMaxDuration))
    return fail(Errc::invalid_input, "--hours: the duration {1} is not above 0 and at most {0}",
                to_text(kMaxDuration), to_text(plan.duration));
  if (!(plan.loss >= 0 && plan.loss < 1))
    return fail(Errc::invalid_input, "--loss: {} is not from 0% to below 100%", to_text(Ratio{plan.loss}));
  if (!(plan.skew >= Seconds{0} && plan.skew <= kMaxSkew))
    return fail(Errc::invalid_input, "--skew: {1} is not 0 s to {0}", to_text(kMaxSkew), to_text(plan.skew));
  if (plan.start < kEarliestStart || plan.start > kLatestStart)
    return fail(Errc::invalid_input, "--start: {} is not between the years 1700 and 2200",
                to_text(plan.start));
  if (plan.device.sensors.empty())
    return fail(Errc::unsupported, "{} has no power reading", plan.device.name);
  return {};
}

Instant later(Instant moment, Seconds by) { return {moment.ns + std::llround(by.si() * 1e3) * kNsPerMs}; }

}  // namespace ergon::fleet::synthetic
