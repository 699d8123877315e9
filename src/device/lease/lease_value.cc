#include "device/lease/lease_value.h"

#include <cmath>

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::device {
namespace {

Result<> check_power(Watts limit) {
  if (std::isfinite(limit.si()) && limit > Watts{0}) return {};
  return fail(Errc::invalid_input, "{} W is not a valid power limit", limit.si());
}

Result<> check_range(const ClockRange& range) {
  const bool finite = std::isfinite(range.min.si()) && std::isfinite(range.max.si());
  if (finite && range.min >= Hertz{0} && range.max > Hertz{0} && range.min <= range.max) return {};
  return fail(Errc::invalid_input, "{} Hz to {} Hz is not a valid clock range", range.min.si(),
              range.max.si());
}

}  // namespace

Result<> check_value(Control control, const ControlValue& value) {
  const bool limit = control == Control::power_limit;
  if (limit ? !value.power_limit || value.clocks : value.power_limit.has_value()) {
    return fail(Errc::invalid_input, "{} is not a value of {}", to_text(value), name_of(control));
  }
  if (limit) return check_power(*value.power_limit);
  if (value.clocks) return check_range(*value.clocks);
  return {};
}

bool widens(Control control, const ControlValue& from, const ControlValue& to) {
  if (control == Control::power_limit) return to.power_limit >= from.power_limit;
  if (!to.clocks) return true;
  return from.clocks && to.clocks->min <= from.clocks->min && to.clocks->max >= from.clocks->max;
}

std::string to_text(const ControlValue& value) {
  if (value.power_limit) return ergon::to_text(*value.power_limit);
  if (!value.clocks) return "unlocked";
  return fmt::format("{} to {}", ergon::to_text(value.clocks->min), ergon::to_text(value.clocks->max));
}

}  // namespace ergon::device
