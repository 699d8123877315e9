#include "predict/familiarity.h"

#include <map>

#include <fmt/format.h>

namespace ergon::predict {
namespace {

// Operations are outside when they move this many times less or more than any that was learned from.
constexpr double kBeyond = 4;
// From this share of the time on, operations outside are worth a word.
constexpr double kWorthAWord = 0.02;

// Why a task is outside; empty where it is not.
std::string reason(const Task& task, graph::Mode mode, const Range& range) {
  if (task.hidden) return "";
  const auto seen = range.find({task.kind, mode});
  if (seen == range.end()) return fmt::format("no {} was learned from", task.kind);
  const double bytes = traffic_of(task);
  if (bytes > seen->second.most * kBeyond) return fmt::format("{} larger than any learned from", task.kind);
  if (bytes < seen->second.least / kBeyond) return fmt::format("{} smaller than any learned from", task.kind);
  return "";
}

}  // namespace

Familiarity familiarity_of(const Job& job, const std::vector<Seconds>& times, const Range& range) {
  Seconds all, strange;
  std::map<std::string, Seconds> reasons;
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    all += times[i];
    const std::string why = reason(job.tasks[i], job.condition.mode, range);
    if (why.empty()) continue;
    strange += times[i];
    reasons[why] += times[i];
  }
  Familiarity familiarity;
  if (all <= Seconds{0}) return familiarity;
  familiarity.strange = (strange / all).si();
  for (const auto& [why, time] : reasons) {
    if (time > all * kWorthAWord)
      familiarity.warnings.push_back(fmt::format("{} ({:.0f} % of the time)", why, 100 * (time / all).si()));
  }
  return familiarity;
}

}  // namespace ergon::predict
