#include "predict/twin_widths.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "device/twin/estimate_notes.h"

namespace ergon::predict {
namespace {

// Half width of a twin without validation data, and the minimum half width with it.
constexpr double kUnvalidatedWidth = 0.35;
constexpr double kMinTwinWidth = 0.1;

// The 90 % quantile of absolute errors is about twice their mean.
double twin_width(const device::Specification& gpu, std::string_view quantity) {
  const auto error = device::largest_network_error(gpu, quantity);
  return error ? std::max(2 * *error, kMinTwinWidth) : kUnvalidatedWidth;
}

}  // namespace

IntervalWidths twin_widths(const device::Specification& gpu) {
  return {twin_width(gpu, "time"), twin_width(gpu, "power"), twin_width(gpu, "energy")};
}

std::optional<std::string> twin_width_warning(const device::Specification& gpu) {
  const auto with_default = [](std::string_view reason) {
    return fmt::format("{}; the interval is a default, {:.0f} to +{:.0f} %", reason,
                       100 * std::expm1(-kUnvalidatedWidth), 100 * std::expm1(kUnvalidatedWidth));
  };
  if (gpu.changed_after_calibration) return with_default("the device file was changed after its calibration");
  if (!device::largest_network_error(gpu, "time"))
    return with_default("the time of networks was not measured on this device");
  return std::nullopt;
}

}  // namespace ergon::predict
