#include "control/cap_check.h"

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::control {

CapCheck::CapCheck(CapQuestion question, std::shared_ptr<const Surface> truth)
    : question_(std::move(question)), truth_(std::move(truth)) {}

std::optional<std::string> CapCheck::check(Watts cap) {
  if (!truth_ || !checked_.insert(cap).second) return std::nullopt;
  auto why = why_not_held(question_, *truth_, cap);
  if (!why) return std::nullopt;
  impossible_.insert(cap);
  reasons_.push_back(*why);
  return why;
}

std::vector<std::string> CapCheck::not_held(const CapRun& run, std::optional<Seconds> latency) const {
  constexpr int kMaxDecisions = 2;
  std::vector<std::string> all = reasons_;
  all.insert(all.end(), run.refused.begin(), run.refused.end());
  for (const Compliance& cap : run.caps) {
    if (cap.took || cap.decisions <= kMaxDecisions || impossible_.contains(cap.cap)) continue;
    all.push_back(fmt::format("{} was not met in {} decisions", to_text(cap.cap), cap.decisions));
  }
  const auto last = run.decisions.empty() ? std::nullopt : run.decisions.back().feedback.latency;
  if (latency && last && *last > *latency)
    all.push_back(
        fmt::format("the last batch took {}, above --max-latency {}", to_text(*last), to_text(*latency)));
  return all;
}

}  // namespace ergon::control
