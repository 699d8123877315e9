#include "schedules/hardware_options.h"

#include <fmt/format.h>

#include "arrays/setup_options.h"
#include "base/text.h"
#include "option_parsers.h"

namespace ergon::app {
namespace {

// A bandwidth that is given: SCALE-Sim's calculated bandwidth has no levels.
Result<systolic::Bandwidth> parse_given_bandwidth(std::string_view text) {
  const auto bandwidth = systolic::parse_bandwidth(text);
  if (bandwidth && !bandwidth->is_calculated()) return *bandwidth;
  return fail(Errc::invalid_input, "--bandwidth: \"{}\" is not words per cycle (20) or a rate (28GB/s)",
              printable(text));
}

}  // namespace

void HardwareOptions::declare(Options& options, Help help) {
  const bool all = help == Help::all;
  options.text(
      "--accelerator", request.accelerator, "NAME",
      all ? accelerator_help()
          : fmt::format("systolic array or a .json file (default: {})", systolic::kDefaultAccelerator));
  options.text("--memory", request.memory, "NAME",
               all ? memory_help() : "memory of the array or a .json file (default: the array's)");
  options.parsed("--bandwidth", "N", "words per cycle or a rate (28GB/s), instead of --memory",
                 taking(request.bandwidth, parse_given_bandwidth));
  options.positive_quantity("--clock", request.clock, "highest clock of the array (default: the array's)");
  options.positive_quantity("--clock-step", request.clock_step,
                            all ? "distance of clock levels (default: 50MHz)"
                                : "distance of clock levels (default: 50MHz; GPUs: all)");
  options.renamed("--step", "--clock-step");
  options.number("--bandwidth-step", request.bandwidth_step, 1e-3, 1e9,
                 "distance of bandwidth levels, words per cycle (default: 4)");
  options.quantity("--switch-time", request.switch_time,
                   all ? "duration of a clock switch (default: 10us)"
                       : "duration of a clock switch (default: 10us; GPUs: theirs)");
  options.renamed("--switch", "--switch-time");
  options.percentage("--switch-power", request.switch_power, {},
                     "power during a switch, of the maximum (default: 10%)");
  options.percentage("--stall-power", request.stall_power, {},
                     "power during stalls, share of the array's power (default: 0%)");
  options.text("--voltage", request.voltage, "NAME",
               fmt::format("voltage curve: {} or a .json file (default: {})",
                           fmt::join(systolic::voltage_curve_names(), ", "), request.voltage));
  options.enumeration("--memory-energy", request.memory_energy, "M", allocate::kMemoryEnergies,
                      "memory energy: off, fixed or dvfs (default: off)");
  options.enumeration("--semantics", request.semantics, "S", allocate::kAllocationSemantics,
                      "timing rules: v2-2021, v2 or ergon (default: v2-2021)");
  if (all) return;
  for (const char* const name : {"--bandwidth-step", "--switch-power", "--stall-power", "--voltage",
                                 "--memory-energy", "--semantics"}) {
    options.hide(name);
  }
}

}  // namespace ergon::app
