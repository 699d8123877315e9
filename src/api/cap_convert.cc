#include "api/cap_convert.h"

#include <algorithm>
#include <functional>

#include "control/summary.h"

namespace ergon::api {
namespace {

template <typename T>
bool ascends(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<T>()) == values.end();
}

}  // namespace

Result<control::Knobs> knobs_of(const OperatingPoints& points) {
  if (points.batches.empty()) return fail(Errc::invalid_input, "no batch to choose from");
  if (!ascends(points.batches) || points.batches.front() < 1)
    return fail(Errc::invalid_input, "batches must be 1 or more and ascend");
  if (!ascends(points.clocks) || (!points.clocks.empty() && points.clocks.front() <= Hertz{0}))
    return fail(Errc::invalid_input, "clocks must be above 0 and ascend");
  return control::Knobs{points.batches, points.clocks};
}

CapDecision public_decision(const control::Decision& decision) {
  return {decision.feedback.at,
          public_feedback(decision.feedback),
          {public_point(decision.next.point), decision.next.reason}};
}

CapResult public_result(const control::CapRun& run) {
  CapResult to;
  to.controller = run.controller;
  for (const control::Decision& each : run.decisions) to.decisions.push_back(public_decision(each));
  for (const control::Compliance& each : run.caps)
    to.caps.push_back({each.at, each.cap, each.took, each.decisions});
  to.refused = run.refused;
  if (run.decisions.empty()) return to;
  const control::Summary summary = control::summary_of(run);
  to.duration = summary.lasted;
  to.samples = summary.samples;
  to.throughput = summary.throughput;
  to.mean_power = summary.mean_power;
  to.max_power = summary.max_power;
  to.violation = summary.violation;
  to.longest_violation = summary.longest_violation;
  to.violation_energy = summary.violation_energy;
  to.mean_batch = summary.mean_batch;
  to.mean_clock = summary.mean_clock;
  to.settled_after = summary.settled_after;
  to.settled_throughput = summary.settled_throughput;
  return to;
}

}  // namespace ergon::api
