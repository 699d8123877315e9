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

void HardwareOptions::declare(Options& options, Applies applies) {
  const bool gpus_too = applies == Applies::also_to_gpus;
  options.positive_quantity("--clock-step", request.clock_step,
                            gpus_too ? "distance of clock levels (default: 50MHz; GPUs: all)"
                                     : "distance of clock levels (default: 50MHz)");
  options.renamed("--step", "--clock-step");
  options.quantity("--switch-time", request.switch_time,
                   gpus_too ? "duration of a clock switch (default: 10us; GPUs: theirs)"
                            : "duration of a clock switch (default: 10us)");
  options.renamed("--switch", "--switch-time");
  options.text("--accelerator", request.accelerator, "NAME", accelerator_help());
  options.text("--memory", request.memory, "NAME", memory_help());
  options.parsed("--bandwidth", "N", "words per cycle or a rate (28GB/s), instead of --memory",
                 taking(request.bandwidth, parse_given_bandwidth));
  options.positive_quantity("--clock", request.clock, "highest clock of the array (default: the array's)");
  options.number("--bandwidth-step", request.bandwidth_step, 1e-3, 1e9,
                 "distance of bandwidth levels, words per cycle (default: 4)");
  options.percentage("--switch-power", request.switch_power, {},
                     "power during a switch, of the maximum (default: 10%)");
  options.percentage("--stall-power", request.stall_power, {},
                     "dynamic power during stalls, of the array's (default: 0%)");
  options.text("--voltage", request.voltage, "NAME",
               fmt::format("voltage curve: {} or a .json file (default: {}; ARADA's: linear)",
                           fmt::join(systolic::voltage_curve_names(), ", "), request.voltage));
  options.percentage("--leakage", request.leakage, {},
                     "leakage, of the dynamic power (default: the curve's)");
  options.enumeration("--memory-energy", request.memory_energy, "M", allocate::kMemoryEnergies,
                      "memory energy: off, fixed or dvfs (default: off)");
  options.enumeration("--semantics", request.semantics, "S", allocate::kAllocationSemantics,
                      "timing rules: v2-2021, v2 or ergon (default: v2-2021)");
}

const std::vector<std::string>& HardwareOptions::array_only() {
  static const std::vector<std::string> kNames = {
      "--accelerator", "--memory",  "--bandwidth", "--clock",         "--bandwidth-step", "--switch-power",
      "--stall-power", "--voltage", "--leakage",   "--memory-energy", "--semantics"};
  return kNames;
}

}  // namespace ergon::app
