#include "schedules/gpu_options.h"

#include "device/twin/network_precision.h"

namespace ergon::app {

void GpuOptions::declare(Options& options) {
  options.text("--device", device, "NAME", "GPU twin or .json file, instead of an array");
  costs.declare_briefly(options);
  declare_precision_briefly(options, precision);
  options.positive_quantity("--power-limit", power_limit, "power limit of the GPU (default: the board's)");
}

Result<allocate::GpuWork> GpuOptions::load(const NetworkSource& network, std::optional<Hertz> clock_step,
                                           std::optional<Seconds> switch_time) const {
  const auto gpu = source().twin();
  if (!gpu) return gpu.error();
  if (network.where.empty()) return fail(Errc::invalid_input, "missing network: give NET");
  const auto loaded = network.load_fused();
  if (!loaded) return loaded.error();
  const device::Precision arithmetic = precision.value_or(device::default_precision(*loaded));
  return allocate::GpuWork::of(*loaded, *gpu,
                               {.batch = costs.batch_for(*loaded),
                                .mode = costs.mode,
                                .precision = arithmetic,
                                .power_limit = power_limit,
                                .clock_step = clock_step,
                                .switch_time = switch_time});
}

std::vector<std::string> GpuOptions::files() const { return source().files(); }

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
