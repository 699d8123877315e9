#include "device/lease/lease_value.h"

#include <cmath>

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::device {
namespace {

Result<> check_power(Watts limit) {
  if (std::isfinite(limit.si()) && limit > Watts{0}) return {};
  return fail(Errc::invalid_input, "{} W cannot be a power limit", limit.si());
}

Result<> check_range(const ClockRange& range) {
  const bool finite = std::isfinite(range.least.si()) && std::isfinite(range.most.si());
  if (finite && range.least >= Hertz{0} && range.most > Hertz{0} && range.least <= range.most) return {};
  return fail(Errc::invalid_input, "{} Hz to {} Hz cannot be a range of clocks", range.least.si(),
              range.most.si());
}

}  // namespace

Result<> check_value(Control control, const ControlValue& value) {
  const bool limit = control == Control::power_limit;
  if (limit ? !value.power_limit || value.clocks : value.power_limit.has_value()) {
    return fail(Errc::invalid_input, "{} is not for {}", to_text(value), name_of(control));
  }
  if (limit) return check_power(*value.power_limit);
  if (value.clocks) return check_range(*value.clocks);
  return {};
}

bool widens(Control control, const ControlValue& from, const ControlValue& to) {
  if (control == Control::power_limit) return to.power_limit >= from.power_limit;
  if (!to.clocks) return true;
  return from.clocks && to.clocks->least <= from.clocks->least && to.clocks->most >= from.clocks->most;
}

std::string to_text(const ControlValue& value) {
  if (value.power_limit) return ergon::to_text(*value.power_limit);
  if (!value.clocks) return "unlocked";
  return fmt::format("{} to {}", ergon::to_text(value.clocks->least), ergon::to_text(value.clocks->most));
}

}  // namespace ergon::device
