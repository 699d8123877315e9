#pragma once

#include <ergon/cap.h>

#include "base/result.h"
#include "control/feedback.h"
#include "control/plants/plant.h"
#include "control/run.h"

namespace ergon::api {

inline BatchAndClock public_point(const control::Point& point) { return {point.batch, point.clock}; }
inline control::Point internal_point(const BatchAndClock& point) { return {point.batch, point.clock}; }

// Errors: points that are empty, not above 0 or not ascending.
Result<control::Knobs> knobs_of(const OperatingPoints& points);

// `at`: end of the interval.
inline control::Feedback internal_feedback(const CapFeedback& from, Seconds at) {
  control::Feedback to;
  to.at = at;
  to.lasted = from.duration;
  to.point = internal_point(from.point);
  to.samples = from.samples;
  to.power = from.power;
  to.mean_power = from.mean_power;
  to.latency = from.latency;
  to.temperature = from.temperature;
  to.cap = from.cap;
  to.saturated = from.saturated;
  return to;
}

inline CapFeedback public_feedback(const control::Feedback& from) {
  CapFeedback to;
  to.duration = from.lasted;
  to.point = public_point(from.point);
  to.samples = from.samples;
  to.power = from.power;
  to.mean_power = from.mean_power;
  to.latency = from.latency;
  to.temperature = from.temperature;
  to.cap = from.cap;
  to.saturated = from.saturated;
  return to;
}

CapDecision public_decision(const control::Decision& decision);

// With the statistics of the run.
CapResult public_result(const control::CapRun& run);

}  // namespace ergon::api
