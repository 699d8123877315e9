#include "predict/learn/extrapolation.h"

#include <map>

#include <fmt/format.h>

namespace ergon::predict {
namespace {

// Factor beyond the range of memory traffic in the training data at which an operation counts as outside.
constexpr double kBeyond = 4;
// Share of the time from which operations outside the training data are reported.
constexpr double kMinReportedShare = 0.02;

// Why a task is outside the training data, or has no known cost at all; empty if neither. Without a range
// there are no training data.
std::string reason(const Task& task, graph::Mode mode, const TrainingRange* range) {
  if (task.kind == "unknown") return "operations of unknown cost: only their launch is counted";
  if (task.implicit || range == nullptr) return "";
  const auto trained = range->find({task.kind, mode});
  if (trained == range->end()) return fmt::format("no {} in the training data", task.kind);
  const double bytes = traffic_of(task);
  if (bytes > trained->second.max * kBeyond)
    return fmt::format("{} larger than in the training data", task.kind);
  if (bytes < trained->second.min / kBeyond)
    return fmt::format("{} smaller than in the training data", task.kind);
  return "";
}

}  // namespace

Extrapolation extrapolation_of(const Iteration& iteration, const std::vector<Seconds>& times,
                               const TrainingRange* range) {
  Seconds all, outside, unmodeled;
  std::map<std::string, Seconds> reasons, types;
  for (std::size_t i = 0; i < iteration.tasks.size(); ++i) {
    const Task& task = iteration.tasks[i];
    all += times[i];
    if (!task.unmodeled.empty()) {
      unmodeled += times[i];
      types[task.unmodeled] += times[i];
      continue;
    }
    const std::string why = reason(task, iteration.config.mode, range);
    if (why.empty()) continue;
    outside += times[i];
    reasons[why] += times[i];
  }
  Extrapolation extrapolation;
  if (all <= Seconds{0}) return extrapolation;
  extrapolation.share = (outside / all).si();
  extrapolation.unmodeled_share = (unmodeled / all).si();
  for (const auto& [type, time] : types) {
    extrapolation.warnings.push_back(
        fmt::format("the speed of {} operations is not modeled; predicted as {} ({:.0f} % of the time)", type,
                    name_of(iteration.config.precision), 100 * (time / all).si()));
  }
  for (const auto& [why, time] : reasons) {
    if (time > all * kMinReportedShare)
      extrapolation.warnings.push_back(
          fmt::format("{} ({:.0f} % of the time)", why, 100 * (time / all).si()));
  }
  return extrapolation;
}

}  // namespace ergon::predict
