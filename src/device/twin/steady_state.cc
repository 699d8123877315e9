#include "device/twin/steady_state.h"

#include <algorithm>

#include "base/units_text.h"

namespace ergon::device {
namespace {

// Leakage is relative to this temperature and proportional to the voltage.
constexpr Celsius kReference{40};

// Power at the reference temperature.
Watts cold_power(const Activity& activity, const Specification& gpu, Hertz clock) {
  const PowerModel& model = gpu.power;
  Watts power =
      model.bare + model.resident * (1 - model.resident_follows * (1 - gpu.relative_dynamic_power(clock)));
  if (activity.time <= Seconds{0}) return power;
  power += model.busy * (gpu.relative_dynamic_power(clock) * (activity.busy / activity.time).si());
  power += activity.work * gpu.relative_voltage_squared(clock) / activity.time;
  power += activity.transfers / activity.time;
  return power;
}

WattsPerKelvin leakage_at(const Specification& gpu, Hertz clock) {
  return gpu.power.leakage *
         (gpu.voltage.at(clock, gpu.core.max) / gpu.voltage.at(gpu.core.max, gpu.core.max));
}

}  // namespace

Watts power_of(const Activity& activity, const Specification& gpu, Hertz clock, Celsius temperature) {
  return cold_power(activity, gpu, clock) + leakage_at(gpu, clock) * (temperature - kReference);
}

Watts resident_power(const Specification& gpu, Hertz clock, Celsius temperature) {
  return power_of(Activity{}, gpu, clock, temperature);
}

Equilibrium equilibrium_of(const Activity& activity, const Specification& gpu, Hertz clock) {
  // P = cold + leak (T - 40) and T = ambient + R P, solved for P.
  const WattsPerKelvin leak = leakage_at(gpu, clock);
  const double feedback = (leak * gpu.thermal.resistance).si();
  const Watts power =
      (cold_power(activity, gpu, clock) + leak * (gpu.thermal.ambient - kReference)) / (1 - feedback);
  return {power, gpu.thermal.ambient + gpu.thermal.resistance * power};
}

Result<> check(const ClockAndLimit& setting, const Specification& gpu) {
  if (setting.clock && !(*setting.clock >= gpu.core.min && *setting.clock <= gpu.core.max)) {
    return fail(Errc::invalid_input, "{} supports core clocks from {} to {}, not {}", gpu.name,
                to_text(gpu.core.min), to_text(gpu.core.max), to_text(*setting.clock));
  }
  if (setting.limit && !(*setting.limit >= gpu.limit.min && *setting.limit <= gpu.limit.max)) {
    return fail(Errc::invalid_input, "{} supports power limits from {} to {}, not {}", gpu.name,
                to_text(gpu.limit.min), to_text(gpu.limit.max), to_text(*setting.limit));
  }
  return {};
}

SteadyState steady_state(const Load& load, const Specification& gpu, const ClockAndLimit& setting) {
  const Hertz requested = setting.clock.value_or(gpu.core.max);
  const Watts limit = std::max(setting.limit.value_or(gpu.limit.default_limit), gpu.limit.holds_from);
  SteadyState state;
  state.clock = regulated_clock([&](Hertz clock) { return load.at(clock); }, gpu, requested, limit);
  state.limited = state.clock < requested;
  state.activity = load.at(state.clock);
  const Equilibrium at = equilibrium_of(state.activity, gpu, state.clock);
  state.power = at.power;
  state.temperature = at.temperature;
  constexpr double kRounding = 1 + 1e-9;
  state.limits_held = at.power <= setting.limit.value_or(gpu.limit.default_limit) * kRounding &&
                      at.temperature <= gpu.thermal.slowdown + Kelvins{1e-6};
  return state;
}

}  // namespace ergon::device
