#include "device/nvml/controls.h"

#include <cmath>

#include "base/units_text.h"
#include "device/nvml/power.h"

namespace ergon::device::nvml {
namespace {

ClockDomain domain_of(Control control) {
  return control == Control::core_clock ? ClockDomain::core : ClockDomain::memory;
}

}  // namespace

NvmlControls::NvmlControls(const Gpu& gpu, const Capabilities& capabilities)
    : gpu_(gpu),
      capabilities_(capabilities),
      application_clocks_(gpu),
      core_lock_(capabilities.lock_core_clock),
      memory_lock_(capabilities.lock_memory_clock) {}

Result<ControlValue> NvmlControls::read(Control control) {
  const std::lock_guard lock(changing_);
  if (control == Control::power_limit) {
    const auto limit = power_limit(gpu_);
    if (!limit) return limit.error();
    return ControlValue{.power_limit = *limit};
  }
  const ClockDomain domain = domain_of(control);
  if (!lockable(domain) && capabilities_.application_clocks) return application_clocks_.read(domain);
  return fail(Errc::unsupported, "{}: NVML cannot read a locked {} clock", gpu_.label(), name_of(domain));
}

Result<> NvmlControls::write(Control control, const ControlValue& value) {
  const std::lock_guard lock(changing_);
  if (control == Control::power_limit) {
    ERGON_EXPECTS(value.power_limit && !value.clocks);
    return write_power_limit(*value.power_limit);
  }
  ERGON_EXPECTS(!value.power_limit);
  return write_clocks(domain_of(control), value.clocks);
}

Result<> NvmlControls::write_power_limit(Watts limit) {
  const auto limits = power_limits(gpu_);
  if (!limits) return limits.error();
  if (!(limit >= limits->min && limit <= limits->max)) {
    return fail(Errc::invalid_input, "{} supports power limits from {} to {}, not {}", gpu_.label(),
                to_text(limits->min), to_text(limits->max), to_text(limit));
  }
  const auto limit_mw = static_cast<unsigned>(std::lround(limit.si() * 1e3));
  return gpu_.call("setting the power limit", gpu_.nvml().set_power_limit, limit_mw);
}

Result<> NvmlControls::write_clocks(ClockDomain domain, const std::optional<ClockRange>& range) {
  if (lockable(domain)) {
    auto written = write_lock(domain, range);
    const bool unsupported = !written && written.error().kind == Errc::unsupported;
    if (!unsupported || !capabilities_.application_clocks) return written;
    lockable(domain) = false;
  }
  if (capabilities_.application_clocks) return application_clocks_.write(domain, range);
  return fail(Errc::unsupported, "{}: the {} clock cannot be locked", gpu_.label(), name_of(domain));
}

Result<> NvmlControls::write_lock(ClockDomain domain, const std::optional<ClockRange>& range) {
  const bool core = domain == ClockDomain::core;
  const Functions& nvml = gpu_.nvml();
  if (!range) {
    return gpu_.call(fmt::format("unlocking the {} clock", name_of(domain)),
                     core ? nvml.unlock_core_clock : nvml.unlock_memory_clock);
  }
  const ClockList supported = (core ? supported_core_mhz(gpu_) : supported_memory_mhz(gpu_)).value_or({});
  const auto min = chosen_mhz(range->min, supported, gpu_.label(), name_of(domain));
  if (!min) return min.error();
  const auto max = chosen_mhz(range->max, supported, gpu_.label(), name_of(domain));
  if (!max) return max.error();
  return gpu_.call(fmt::format("locking the {} clock", name_of(domain)),
                   core ? nvml.lock_core_clock : nvml.lock_memory_clock, *min, *max);
}

}  // namespace ergon::device::nvml
