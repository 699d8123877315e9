#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocate/hardware.h"
#include "options.h"

namespace ergon::app {

// Accelerator and memory from the command line.
struct HardwareSource {
  std::optional<std::string> accelerator, memory, bandwidth;
  std::optional<Hertz> clock, clock_step;
  std::optional<Seconds> switch_time;
  double switch_power = allocate::Hardware{}.switch_power;
  double stall_power = allocate::Hardware{}.stall_power;
  double bandwidth_step = 4;
  std::string voltage = "linear";
  std::string memory_energy = "off";
  std::string semantics = "v2-2021";

  struct Resolved {
    allocate::Hardware hardware;
    std::string accelerator;
    std::optional<std::string> memory;  // empty if --bandwidth was given
    std::vector<std::string> files;

    // "edge-tpu, 500 MHz in steps of 50 MHz; lpddr4, 8 GB/s"
    std::string text() const;
  };

  // Options shown in the help: all, or the common ones.
  enum class Help : std::uint8_t { all, common };
  void declare(Options& options, Help help = Help::all);
  Result<Resolved> resolve() const;
};

}  // namespace ergon::app
