#include "schedules/hardware_source.h"

#include <fmt/format.h>

#include "arrays/machine_source.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::app {

using namespace systolic;

std::string HardwareSource::Resolved::text() const {
  return fmt::format("{}, {} in steps of {}; {}{}", accelerator, to_text(hardware.clock),
                     to_text(hardware.clock_step), memory ? *memory + ", " : "",
                     to_text(hardware.bandwidth(hardware.words_per_cycle)));
}

void HardwareSource::declare(Options& options, Help help) {
  const bool all = help == Help::all;
  options.text(
      "--accelerator", accelerator, "NAME",
      all ? accelerator_help() : fmt::format("a systolic array ({}), or a .json file", kUsualAccelerator));
  options.text("--memory", memory, "NAME", all ? memory_help() : "of the array, or a .json file");
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
  options.positive_quantity(
      "--step", step, all ? "between clock levels (50MHz)" : "between clock levels (50MHz; GPUs: their own)");
  options.number("--bandwidth-step", bandwidth_step, 1e-3, 1e9, "between bandwidths, words a cycle (4)");
  options.quantity("--switch", switch_time,
                   all ? "a change of clock takes (10us)" : "a change of the array's clock takes (10us)");
  options.share("--switch-power", switch_power, {}, "and draws, of the array's most (10%)");
  options.share("--stall-power", stall_power, {}, "the array draws while it waits (0%)");
  options.text("--voltage", voltage, "NAME",
               fmt::format("{}, or a .json file", fmt::join(voltage_curve_names(), ", ")));
  options.word("--memory-energy", memory_energy, "M", {"off", "fixed", "dvfs"},
               "off, fixed (on the bill) or dvfs (and slowed)");
  options.word("--semantics", semantics, "S", {"v2-2021", "v2", "ergon"},
               "whose timing: v2-2021, v2 or ergon");
  if (help == Help::all) return;
  for (const char* const name : {"--bandwidth-step", "--switch-power", "--stall-power", "--voltage",
                                 "--memory-energy", "--semantics"}) {
    options.fold(name);
  }
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
