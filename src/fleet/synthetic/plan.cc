#include "fleet/synthetic/plan.h"

#include <cmath>

#include "base/units_text.h"

namespace ergon::fleet::synthetic {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
// 1700 to 2200: within what Timestamp can hold, with room for a plan and its skew.
constexpr Timestamp kEarliestStart{-8'520'336'000'000'000'000}, kLatestStart{7'258'118'400'000'000'000};

}  // namespace

Result<> check(const Plan& plan) {
  if (plan.hosts == 0 || plan.hosts > kMostHosts)
    return fail(Errc::invalid_input, "a fleet has 1 to {} hosts, not {}", kMostHosts, plan.hosts);
  if (plan.gpus_per_host == 0 || plan.gpus_per_host > kMostGpusPerHost)
    return fail(Errc::invalid_input, "a host has 1 to {} GPUs, not {}", kMostGpusPerHost, plan.gpus_per_host);
  if (!(plan.lasts > Seconds{0} && plan.lasts <= kLongestPlan))
    return fail(Errc::invalid_input, "a fleet runs for more than 0 s and up to {}, not for {}",
                to_text(kLongestPlan), to_text(plan.lasts));
  if (!(plan.loss >= 0 && plan.loss < 1))
    return fail(Errc::invalid_input, "a share from 0% to less than 100% of the rows can be lost, not {}",
                to_text(Ratio{plan.loss}));
  if (!(plan.skew >= Seconds{0} && plan.skew <= kMostSkew))
    return fail(Errc::invalid_input, "loggers run ahead by 0 s to {}, not by {}", to_text(kMostSkew),
                to_text(plan.skew));
  if (plan.start < kEarliestStart || plan.start > kLatestStart)
    return fail(Errc::invalid_input, "a fleet starts between the years 1700 and 2200, not at {}",
                to_text(plan.start));
  if (plan.device.sensors.empty())
    return fail(Errc::unsupported, "{} has no power reading", plan.device.name);
  return {};
}

Instant later(Instant moment, Seconds by) { return {moment.ns + std::llround(by.si() * 1e3) * kNsPerMs}; }

}  // namespace ergon::fleet::synthetic
