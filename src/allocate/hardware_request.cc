#include "allocate/hardware_request.h"

#include <array>

#include <fmt/format.h>

#include "base/builtin_files.h"
#include "base/units_text.h"
#include "systolic/setup/setup.h"

namespace ergon::allocate {

using namespace systolic;

std::string_view name_of(MemoryEnergy energy) {
  constexpr std::array<std::string_view, 3> kNames = {"off", "fixed", "dvfs"};
  return kNames[static_cast<std::size_t>(energy)];
}

namespace {

std::string voltage_text(const Hardware& hardware) {
  const VoltageCurve& voltage = hardware.voltage;
  const std::string leakage = voltage.leakage > 0
                                  ? fmt::format("leakage {:.3g} % of dynamic power", 100 * voltage.leakage)
                                  : std::string("no leakage");
  return fmt::format("voltage {}, {} {:.0f} %; {}", voltage.name(),
                     voltage.is_linear() ? "as ARADA assumes: down to" : "at least",
                     100 * hardware.lowest_voltage_ratio(), leakage);
}

}  // namespace

std::string ResolvedHardware::text() const {
  return fmt::format("{}, {} in steps of {}; {}{}\n{}", accelerator, to_text(hardware.clock),
                     to_text(hardware.clock_step), memory ? *memory + ", " : "",
                     to_text(hardware.bandwidth(hardware.words_per_cycle)), voltage_text(hardware));
}

Result<ResolvedHardware> resolve(const HardwareRequest& request) {
  const auto setup = systolic::resolve(SetupRequest{.accelerator = request.accelerator,
                                                    .memory = request.memory,
                                                    .bandwidth = request.bandwidth,
                                                    .clock = request.clock,
                                                    .semantics = request.semantics});
  if (!setup) return setup.error();
  const auto voltage = find_voltage_curve(request.voltage);
  if (!voltage) return voltage.error();
  const double words = setup->semantics == Semantics::ergon ? setup->port.channel_words
                                                            : static_cast<double>(setup->port.ports.ifmap);
  ResolvedHardware resolved{.hardware = hardware_of(*setup->accelerator, words),
                            .accelerator = setup->accelerator->name,
                            .memory = setup->bandwidth_memory(),
                            .files = setup->files};
  Hardware& hardware = resolved.hardware;
  hardware.semantics = setup->semantics;
  hardware.clock = *setup->clock;
  hardware.clock_step = request.clock_step.value_or(hardware.clock_step);
  hardware.word_step = request.bandwidth_step;
  hardware.switch_time = request.switch_time.value_or(hardware.switch_time);
  hardware.switch_power = request.switch_power;
  hardware.stall_power = request.stall_power;
  hardware.voltage = *voltage;
  hardware.voltage.leakage = request.leakage.value_or(voltage->leakage);
  if (request.memory_energy != MemoryEnergy::off) {
    const auto power = memory_power_of(*setup->memory, *setup->accelerator);
    if (!power) return power.error();
    hardware.memory = *power;
    hardware.memory->follows_demand = request.memory_energy == MemoryEnergy::dvfs;
  }
  const bool voltage_file = is_json_file(request.voltage);
  if (const auto covers = voltage->check(hardware.clock); !covers)
    return voltage_file ? covers.error().in(request.voltage) : covers.error();
  if (const auto fits = hardware.check(); !fits) return fits.error();
  if (request.bandwidth && request.memory && request.memory_energy == MemoryEnergy::off)
    return fail(Errc::invalid_input, "--memory and --bandwidth both set the bandwidth; give one");
  if (voltage_file) resolved.files.push_back(request.voltage);
  return resolved;
}

}  // namespace ergon::allocate
