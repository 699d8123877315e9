#include "predict/twin_widths.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "device/twin/estimate_notes.h"

namespace ergon::predict {
namespace {

// The 90 % quantile of absolute errors is about twice their mean.
double twin_width(const device::Specification& gpu, std::string_view quantity, const device::RunKind& kind) {
  const auto error = device::largest_network_error(gpu, quantity, kind);
  return error ? std::max(2 * *error, kMinNetworkWidth) : kUnvalidatedWidth;
}

IntervalWidths wider_of(const IntervalWidths& a, const IntervalWidths& b) {
  return {std::max(a.time, b.time), std::max(a.power, b.power), std::max(a.energy, b.energy)};
}

std::string with_default(std::string_view reason) {
  return fmt::format("{}; the interval is a default, {:.0f} to +{:.0f} %", reason,
                     100 * std::expm1(-kUnvalidatedWidth), 100 * std::expm1(kUnvalidatedWidth));
}

bool has_network_errors(const device::Specification& gpu) {
  const auto errors = device::network_errors(gpu);
  return std::any_of(errors.begin(), errors.end(), [](const auto& each) { return each.quantity == "time"; });
}

// The networks that no measured one is like: "networks in inference", "networks in fp16 training",
// "host-bound networks in tf32 training".
std::string unmeasured_networks(const device::Specification& gpu, const WorkloadConfig& config,
                                bool host_bound) {
  const auto is_measured = [&](device::Precision precision) {
    return device::largest_network_error(gpu, "time", {config.mode, precision, false}) ||
           device::largest_network_error(gpu, "time", {config.mode, precision, true});
  };
  if (std::none_of(std::begin(device::kPrecisions), std::end(device::kPrecisions), is_measured))
    return fmt::format("networks in {}", name_of(config.mode));
  std::string in = fmt::format("networks in {} {}", name_of(config.precision), name_of(config.mode));
  if (!is_measured(config.precision)) return in;
  return (host_bound ? "host-bound " : "GPU-bound ") + in;
}

bool was_calibrated_with(const Model& model, const device::Specification& gpu, const WorkloadConfig& config) {
  return std::any_of(model.corrections.by_config.begin(), model.corrections.by_config.end(),
                     [&](const auto& each) {
                       return each.first.mode == config.mode &&
                              device::is_same_arithmetic(gpu, each.first.precision, config.precision);
                     });
}

}  // namespace

IntervalWidths twin_widths(const device::Specification& gpu, const WorkloadConfig& config, bool host_bound) {
  const device::RunKind kind{config.mode, config.precision, host_bound};
  return {twin_width(gpu, "time", kind), twin_width(gpu, "power", kind), twin_width(gpu, "energy", kind)};
}

std::optional<std::string> twin_width_warning(const device::Specification& gpu, const WorkloadConfig& config,
                                              bool host_bound) {
  if (gpu.changed_after_calibration) return with_default("the device file was changed after its calibration");
  if (device::largest_network_error(gpu, "time", {config.mode, config.precision, host_bound}))
    return std::nullopt;
  if (!has_network_errors(gpu)) return with_default("the time of networks was not measured on this device");
  return with_default(fmt::format("the time of {} was not measured on this device",
                                  unmeasured_networks(gpu, config, host_bound)));
}

IntervalWidths calibrated_widths(const Model& model, const device::Specification& gpu,
                                 const WorkloadConfig& config, bool host_bound) {
  const IntervalWidths widths = model.widths_of(config.host, host_bound, 0);
  return was_calibrated_with(model, gpu, config) ? widths : wider_of(widths, kUnvalidatedWidths);
}

std::optional<std::string> calibrated_width_warning(const Model& model, const device::Specification& gpu,
                                                    const WorkloadConfig& config) {
  if (was_calibrated_with(model, gpu, config)) return std::nullopt;
  return with_default(fmt::format("the model was not calibrated with networks in {} {}",
                                  name_of(config.precision), name_of(config.mode)));
}

}  // namespace ergon::predict
