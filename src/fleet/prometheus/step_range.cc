#include "fleet/prometheus/step_range.h"

#include <algorithm>
#include <cmath>

#include "base/units_text.h"

namespace ergon::fleet {
namespace {

constexpr std::int64_t kWindowMs = 600'000;
constexpr std::int64_t kLeastSteps = 40;
constexpr std::int64_t kMostSteps = 10'000;
constexpr Seconds kLongestStep{86400};

}  // namespace

Result<StepRange> steps_between(Timestamp from, Timestamp to, Seconds step) {
  StepRange range;
  range.step_ms = step > kLongestStep ? 0 : std::llround(step.si() * 1e3);
  if (range.step_ms < 1 || std::abs(step.si() * 1e3 - static_cast<double>(range.step_ms)) > 1e-6)
    return fail(Errc::invalid_input, "a step of {} is none; it is 1ms to {}, in whole milliseconds",
                to_text(step), to_text(kLongestStep));
  if (from > to) return fail(Errc::invalid_input, "{} comes after {}", to_text(from), to_text(to));
  if (from.ns < 0) return fail(Errc::invalid_input, "{} is before 1970", to_text(from));
  const std::int64_t step_ns = range.step_ms * 1'000'000;
  const std::int64_t first = from.ns / step_ns + (from.ns % step_ns != 0 ? 1 : 0), last = to.ns / step_ns;
  if (first > last)
    return fail(Errc::invalid_input, "no step of {} lies between {} and {}", to_text(step), to_text(from),
                to_text(to));
  range.first_ms = first * range.step_ms;
  range.last_ms = last * range.step_ms;
  return range;
}

StepWindows::StepWindows(const StepRange& range)
    : range_(range), steps_(std::clamp(kWindowMs / range.step_ms, kLeastSteps, kMostSteps)) {}

StepRange StepWindows::operator[](std::int64_t window) const {
  StepRange part = range_;
  part.first_ms += window * steps_ * range_.step_ms;
  part.last_ms = std::min(part.first_ms + (steps_ - 1) * range_.step_ms, range_.last_ms);
  return part;
}

}  // namespace ergon::fleet
