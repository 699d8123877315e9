#include "schedules/gpu_source.h"

#include "base/text.h"
#include "device/twin/catalogue.h"

namespace ergon::app {

void GpuSource::declare(Options& options) {
  options.text("--device", device, "NAME", "a GPU (`ergon devices`, or a .json file), not an array");
  costs.declare_briefly(options);
  options.word("--precision", precision, "P", {"tf32", "fp32", "bf16", "fp16"},
               "on a GPU: tf32 (usual), fp32, bf16 or fp16");
  options.positive_quantity("--power-limit", limit, "of the GPU (its own)");
  options.quantity("--switch-time", switch_time, "a change of the GPU's clock takes (its own)");
}

Result<allocate::GpuWork> GpuSource::load(const NetworkSource& source, std::optional<Hertz> step) const {
  const auto gpu = device::find_device(device.value_or(""));
  if (!gpu) return gpu.error();
  if (source.where.empty()) return fail(Errc::invalid_input, "which network? Give NET");
  const auto network = source.load_to_run();
  if (!network) return network.error();
  allocate::GpuSettings settings{.batch = costs.batch_for(*network),
                                 .mode = costs.cost_mode(),
                                 .limit = limit,
                                 .clock_step = step,
                                 .switch_time = switch_time};
  settings.precision = device::precision_named(precision).value_or(settings.precision);
  return allocate::GpuWork::of(*network, *gpu, settings);
}

std::vector<std::string> GpuSource::files() const {
  if (device && lower(*device).ends_with(".json")) return {*device};
  return {};
}

OptionsOfOneKind::OptionsOfOneKind(const Options& options, const std::vector<std::string>& names) {
  for (const std::string& name : names) given_.emplace_back(name, options.given(name));
}

Result<> OptionsOfOneKind::refuse(std::string_view why) const {
  for (const auto& option : given_) {
    if (option.second()) return fail(Errc::invalid_input, "{} {}", option.first, why);
  }
  return {};
}

}  // namespace ergon::app
