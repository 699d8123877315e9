#include "device/nvml/application_clocks.h"

#include <algorithm>

namespace ergon::device::nvml {

Result<ApplicationClocks::Pair> ApplicationClocks::pair_by(Getter* getter, std::string_view what) const {
  Pair pair;
  auto called = gpu_.call(what, getter, ClockType::memory, &pair.memory_mhz);
  if (called) called = gpu_.call(what, getter, ClockType::graphics, &pair.core_mhz);
  if (!called) return called.error();
  return pair;
}

// The highest supported core clock that is not above the requested one; the lowest if there is none.
unsigned ApplicationClocks::nearest_core_mhz(unsigned memory_mhz, unsigned requested_mhz) const {
  const auto supported = supported_core_mhz(gpu_, memory_mhz);
  if (!supported || supported->empty()) return requested_mhz;
  const auto above = std::upper_bound(supported->begin(), supported->end(), requested_mhz);
  return above == supported->begin() ? *above : *(above - 1);
}

ApplicationClocks::Requested ApplicationClocks::requested_for(const Pair& current,
                                                              const Pair& defaults) const {
  if (set_ == current) return requested_;
  Requested requested;
  if (current.memory_mhz != defaults.memory_mhz) requested.memory_mhz = current.memory_mhz;
  if (current.core_mhz != nearest_core_mhz(current.memory_mhz, defaults.core_mhz))
    requested.core_mhz = current.core_mhz;
  return requested;
}

Result<ControlValue> ApplicationClocks::read(ClockDomain domain) {
  const auto current = pair_by(gpu_.nvml().application_clock, "application clocks");
  if (!current) return current.error();
  const auto defaults = pair_by(gpu_.nvml().default_application_clock, "default application clocks");
  if (!defaults) return defaults.error();
  const Requested requested = requested_for(*current, *defaults);
  const auto& clock_mhz = domain == ClockDomain::core ? requested.core_mhz : requested.memory_mhz;
  if (!clock_mhz) return ControlValue{};
  const Hertz clock{*clock_mhz * 1e6};
  return ControlValue{.clocks = ClockRange{clock, clock}};
}

Result<> ApplicationClocks::write(ClockDomain domain, const std::optional<ClockRange>& range) {
  const auto current = pair_by(gpu_.nvml().application_clock, "application clocks");
  if (!current) return current.error();
  const auto defaults = pair_by(gpu_.nvml().default_application_clock, "default application clocks");
  if (!defaults) return defaults.error();

  Requested requested = requested_for(*current, *defaults);
  auto& target = domain == ClockDomain::core ? requested.core_mhz : requested.memory_mhz;
  target.reset();
  const unsigned memory_mhz = requested.memory_mhz.value_or(defaults->memory_mhz);
  if (range) {
    const auto chosen =
        domain == ClockDomain::memory
            ? chosen_mhz(range->max, supported_memory_mhz(gpu_).value_or({}), gpu_.label(), "memory")
            : chosen_mhz(range->max, supported_core_mhz(gpu_, memory_mhz).value_or({}),
                         fmt::format("{} at memory clock {} MHz", gpu_.label(), memory_mhz), "core");
    if (!chosen) return chosen.error();
    target = *chosen;
  }
  Pair pair{requested.memory_mhz.value_or(defaults->memory_mhz),
            requested.core_mhz.value_or(defaults->core_mhz)};
  pair.core_mhz = nearest_core_mhz(pair.memory_mhz, pair.core_mhz);

  auto written = pair == *defaults
                     ? gpu_.call("resetting the application clocks", gpu_.nvml().reset_application_clocks)
                     : gpu_.call("setting the application clocks", gpu_.nvml().set_application_clocks,
                                 pair.memory_mhz, pair.core_mhz);
  if (!written) return written;
  requested_ = requested;
  set_ = pair;
  return {};
}

}  // namespace ergon::device::nvml
