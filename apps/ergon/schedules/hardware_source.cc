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
  options.text("--accelerator", accelerator, "NAME",
               all ? accelerator_help()
                   : fmt::format("systolic array or a .json file (default: {})", kDefaultAccelerator));
  options.text("--memory", memory, "NAME",
               all ? memory_help() : "memory of the array or a .json file (default: the array's)");
  options.parsed("--bandwidth", "N", "words per cycle or a rate (28GB/s), instead of --memory",
                 [this](std::string_view text) -> Result<> {
                   bandwidth = std::string(text);
                   if (text != "calc" && check_bandwidth(text)) return {};
                   return fail(Errc::invalid_input,
                               "--bandwidth: \"{}\" is not words per cycle (20) or a rate (28GB/s)",
                               printable(text));
                 });
  options.positive_quantity("--clock", clock, "highest clock of the array (default: the array's)");
  options.positive_quantity("--clock-step", clock_step,
                            all ? "distance of clock levels (default: 50MHz)"
                                : "distance of clock levels (default: 50MHz; GPUs: all)");
  options.renamed("--step", "--clock-step");
  options.number("--bandwidth-step", bandwidth_step, 1e-3, 1e9,
                 "distance of bandwidth levels, words per cycle (default: 4)");
  options.quantity("--switch-time", switch_time,
                   all ? "duration of a clock switch (default: 10us)"
                       : "duration of a clock switch (default: 10us; GPUs: theirs)");
  options.renamed("--switch", "--switch-time");
  options.percentage("--switch-power", switch_power, {},
                     "power during a switch, of the maximum (default: 10%)");
  options.percentage("--stall-power", stall_power, {},
                     "power during stalls, share of the array's power (default: 0%)");
  options.text("--voltage", voltage, "NAME",
               fmt::format("voltage curve: {} or a .json file (default: linear)",
                           fmt::join(voltage_curve_names(), ", ")));
  options.choice("--memory-energy", memory_energy, "M", {"off", "fixed", "dvfs"},
                 "memory energy: off, fixed or dvfs (default: off)");
  options.choice("--semantics", semantics, "S", {"v2-2021", "v2", "ergon"},
                 "timing rules: v2-2021, v2 or ergon (default: v2-2021)");
  if (help == Help::all) return;
  for (const char* const name : {"--bandwidth-step", "--switch-power", "--stall-power", "--voltage",
                                 "--memory-energy", "--semantics"}) {
    options.hide(name);
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
    return fail(Errc::invalid_input, "--memory and --bandwidth both set the bandwidth; give one");
  }
  const auto chosen = find_accelerator(accelerator.value_or(kDefaultAccelerator));
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
  hardware.clock_step = clock_step.value_or(hardware.clock_step);
  hardware.word_step = bandwidth_step;
  hardware.switch_time = switch_time.value_or(hardware.switch_time);
  if (hardware.switch_time < Seconds{0}) {
    return fail(Errc::invalid_input, "--switch-time must not be negative");
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
  const bool from_file = lower(voltage).ends_with(".json");
  if (const auto covers = curve->check(hardware.clock); !covers) {
    return from_file ? covers.error().in(voltage) : covers.error();
  }
  if (const auto fits = hardware.check(); !fits) return fits.error();
  if (from_file) resolved.files.push_back(voltage);
  return resolved;
}

}  // namespace ergon::app
