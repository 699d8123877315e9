#include "arrays/setup_options.h"

#include <fmt/format.h>

#include "option_parsers.h"

namespace ergon::app {

using namespace systolic;

std::string accelerator_help() {
  std::string text;
  for (const std::string& name : accelerator_names()) {
    text += name + (name == kDefaultAccelerator ? " (default), " : ", ");
  }
  return text + "or a .json file";
}

std::string memory_help() { return fmt::format("{}, or a .json file", fmt::join(memory_names(), ", ")); }

void SetupOptions::declare(Options& options) {
  options.text("-c,--config", config, "FILE", "SCALE-Sim configuration file");
  options.text("--accelerator", request.accelerator, "NAME", accelerator_help());
  options.text("--memory", request.memory, "NAME", memory_help());
  options.parsed("--array", "RxC", "rows x columns of processing elements",
                 taking(request.array, parse_array));
  options.enumeration("--dataflow", request.dataflow, kDataflows,
                      "stationary operand: outputs, weights or inputs");
  options.parsed("--scratchpads", "I/F/O", "size of ifmap, filter and ofmap scratchpads in KiB",
                 taking(request.scratchpads, parse_scratchpads));
  options.parsed("--bandwidth", "N", "words per cycle, 28GB/s, or calc, instead of --memory's",
                 taking(request.bandwidth, parse_bandwidth));
  options.quantity("--clock", request.clock, "clock of the array (default: the accelerator's)");
  options.enumeration("--semantics", request.semantics, kSemantics, "timing rules (default: v3)");
}

Result<Setup> SetupOptions::resolve() const {
  if (!config) return systolic::resolve(request);
  if (request.accelerator || request.memory || request.clock) {
    return fail(Errc::invalid_input,
                "-c and {} exclude each other; the configuration file describes the array",
                request.accelerator ? "--accelerator"
                : request.memory    ? "--memory"
                                    : "--clock");
  }
  return resolve_config(*config, request);
}

}  // namespace ergon::app
