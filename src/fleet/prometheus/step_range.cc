#include "fleet/prometheus/step_range.h"

#include <algorithm>
#include <cmath>

#include "base/units_text.h"

namespace ergon::fleet {
namespace {

constexpr std::int64_t kWindowMs = 600'000;
constexpr std::int64_t kMinSteps = 40;
constexpr std::int64_t kMaxSteps = 10'000;
constexpr Seconds kMaxStep{86400};

}  // namespace

Result<StepRange> steps_between(Timestamp from, Timestamp to, Seconds step) {
  StepRange range;
  range.step_ms = step > kMaxStep ? 0 : std::llround(step.si() * 1e3);
  if (range.step_ms < 1 || std::abs(step.si() * 1e3 - static_cast<double>(range.step_ms)) > 1e-6)
    return fail(Errc::invalid_input, "--step: {} is not 1 ms to {} in whole milliseconds", to_text(step),
                to_text(kMaxStep));
  if (from > to) return fail(Errc::invalid_input, "--from {} is after --to {}", to_text(from), to_text(to));
  if (from.ns < 0) return fail(Errc::invalid_input, "--from {} is before 1970", to_text(from));
  const std::int64_t step_ns = range.step_ms * 1'000'000;
  const std::int64_t first = from.ns / step_ns + (from.ns % step_ns != 0 ? 1 : 0), last = to.ns / step_ns;
  if (first > last)
    return fail(Errc::invalid_input, "no multiple of --step {} is between {} and {}", to_text(step),
                to_text(from), to_text(to));
  range.first_ms = first * range.step_ms;
  range.last_ms = last * range.step_ms;
  return range;
}

StepWindows::StepWindows(const StepRange& range)
    : range_(range), steps_(std::clamp(kWindowMs / range.step_ms, kMinSteps, kMaxSteps)) {}

StepRange StepWindows::operator[](std::int64_t window) const {
  StepRange part = range_;
  part.first_ms += window * steps_ * range_.step_ms;
  part.last_ms = std::min(part.first_ms + (steps_ - 1) * range_.step_ms, range_.last_ms);
  return part;
}

}  // namespace ergon::fleet
