#include "schedules/gpu_source.h"

#include "base/text.h"
#include "device/twin/catalog.h"

namespace ergon::app {

void GpuSource::declare(Options& options) {
  options.text("--device", device, "NAME", "GPU twin or .json file, instead of an array");
  costs.declare_briefly(options);
  options.choice("--precision", precision, "P", {"tf32", "fp32", "bf16", "fp16"},
                 "on GPUs: tf32, fp32, bf16 or fp16 (default: tf32)");
  options.positive_quantity("--power-limit", power_limit, "power limit of the GPU (default: the board's)");
}

Result<allocate::GpuWork> GpuSource::load(const NetworkSource& source, std::optional<Hertz> clock_step,
                                          std::optional<Seconds> switch_time) const {
  const auto gpu = device::find_device(device.value_or(""));
  if (!gpu) return gpu.error();
  if (source.where.empty()) return fail(Errc::invalid_input, "missing network: give NET");
  const auto network = source.load_fused();
  if (!network) return network.error();
  allocate::GpuSettings settings{.batch = costs.batch_for(*network),
                                 .mode = costs.cost_mode(),
                                 .power_limit = power_limit,
                                 .clock_step = clock_step,
                                 .switch_time = switch_time};
  settings.precision = device::precision_named(precision).value_or(settings.precision);
  return allocate::GpuWork::of(*network, *gpu, settings);
}

std::vector<std::string> GpuSource::files() const {
  if (device && lower(*device).ends_with(".json")) return {*device};
  return {};
}

InapplicableOptions::InapplicableOptions(const Options& options, const std::vector<std::string>& names) {
  for (const std::string& name : names) given_.emplace_back(name, options.given(name));
}

Result<> InapplicableOptions::check(std::string_view why) const {
  for (const auto& option : given_) {
    if (option.second()) return fail(Errc::invalid_input, "{} {}", option.first, why);
  }
  return {};
}

}  // namespace ergon::app
