#include "schedules/hardware_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "arrays/machine_source.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::app {
namespace {

using namespace systolic;

// A choice whose allowed words stand in its help.
Options::Take one_of(std::string& target, std::vector<std::string> allowed) {
  return [&target, allowed = std::move(allowed)](std::string_view text) -> Result<> {
    target = std::string(text);
    if (std::find(allowed.begin(), allowed.end(), target) != allowed.end()) return {};
    return fail(Errc::invalid_input, "\"{}\" is none of {}{}", printable(text),
                fmt::format("{}", fmt::join(allowed, ", ")), suggestion(text, allowed));
  };
}

}  // namespace

std::string HardwareSource::Resolved::text() const {
  return fmt::format("{}, {} in steps of {}; {}{}", accelerator, to_text(hardware.clock),
                     to_text(hardware.clock_step), memory ? *memory + ", " : "",
                     to_text(hardware.bandwidth(hardware.words_per_cycle)));
}

void HardwareSource::declare(Options& options) {
  options.text("--accelerator", accelerator, "NAME", accelerator_help());
  options.text("--memory", memory, "NAME", memory_help());
  options.parsed("--bandwidth", "N", "words a cycle or a rate (28GB/s), in place of a memory",
                 [this](std::string_view text) -> Result<> {
                   bandwidth = std::string(text);
                   if (text != "calc" && check_bandwidth(text)) return {};
                   return fail(
                       Errc::invalid_input,
                       "\"{}\" is no bandwidth; words a cycle such as 20, or a rate such as 28GB/s, are",
                       printable(text));
                 });
  options.positive_quantity("--clock", clock, "highest clock of the array");
  options.positive_quantity("--step", step, "between clock levels (50MHz)");
  options.number("--bandwidth-step", bandwidth_step, 1e-3, 1e9, "between bandwidths, words a cycle (4)");
  options.quantity("--switch", switch_time, "a change of clock takes (10us)");
  options.share("--switch-power", switch_power, {}, "and draws, of the array's most (10%)");
  options.share("--stall-power", stall_power, {}, "the array draws while it waits (0%)");
  options.text("--voltage", voltage, "NAME",
               fmt::format("{}, or a .json file", fmt::join(voltage_curve_names(), ", ")));
  options.parsed("--memory-energy", "M", "off, fixed (on the bill) or dvfs (and slowed)",
                 one_of(memory_energy, {"off", "fixed", "dvfs"}));
  options.parsed("--semantics", "S", "whose timing: v2-2021, v2 or ergon",
                 one_of(semantics, {"v2-2021", "v2", "ergon"}));
}

Result<HardwareSource::Resolved> HardwareSource::resolve() const {
  MachineSource source;
  source.accelerator = accelerator;
  source.memory = memory;
  source.bandwidth = bandwidth;
  source.clock = clock;
  source.semantics = semantics;
  const auto setup = source.resolve();
  if (!setup) return setup.error();
  if (bandwidth && memory && memory_energy == "off") {
    return fail(Errc::invalid_input, "--memory and --bandwidth both say how fast the memory is; give one");
  }
  const auto chosen = find_accelerator(accelerator.value_or(kUsualAccelerator));
  if (!chosen) return chosen.error();
  const auto attached = find_memory(memory.value_or(chosen->memory));
  if (!attached) return attached.error();
  const auto curve = find_voltage_curve(voltage);
  if (!curve) return curve.error();
  Resolved resolved{.accelerator = chosen->name, .memory = setup->memory, .files = setup->files};
  allocate::Hardware& hardware = resolved.hardware;
  const double words = setup->semantics == Semantics::ergon ? setup->port.channel_words
                                                            : static_cast<double>(setup->port.ports.ifmap);
  hardware = allocate::hardware_of(*chosen, words);
  hardware.semantics = setup->semantics;
  hardware.clock = *setup->clock;
  hardware.clock_step = step.value_or(hardware.clock_step);
  hardware.word_step = bandwidth_step;
  hardware.switch_time = switch_time.value_or(hardware.switch_time);
  if (hardware.switch_time < Seconds{0}) {
    return fail(Errc::invalid_input, "a change of clock cannot take less than no time");
  }
  hardware.switch_power = switch_power;
  hardware.stall_power = stall_power;
  hardware.voltage = *curve;
  if (memory_energy != "off") {
    const auto power = allocate::memory_power_of(*attached, *chosen);
    if (!power) return power.error();
    hardware.memory = *power;
    hardware.memory->follows_demand = memory_energy == "dvfs";
  }
  const bool own_table = lower(voltage).ends_with(".json");
  if (const auto covers = curve->check(hardware.clock); !covers) {
    return own_table ? covers.error().in(voltage) : covers.error();
  }
  if (const auto fits = hardware.check(); !fits) return fits.error();
  if (own_table) resolved.files.push_back(voltage);
  return resolved;
}

}  // namespace ergon::app
