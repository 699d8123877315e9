#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "systolic/catalog/catalog.h"
#include "systolic/energy.h"
#include "systolic/simulate.h"

namespace ergon::app {

// An array with its memory, ready to simulate.
struct Setup {
  std::string name;  // of the run
  systolic::Machine machine;
  systolic::MemoryPort port;
  systolic::Semantics semantics = systolic::Semantics::v3;
  std::optional<Hertz> clock;                      // known for accelerators only
  std::optional<std::string> accelerator, memory;  // names
  std::optional<systolic::AccessEnergies> energies;
  std::string energy_table, energy_memory;  // sources of the energies
  std::vector<std::string> files, remarks;

  // "64 x 64 os, scratchpads 1024/2048/1024 KiB"
  std::string machine_text() const;
  // "8 words per cycle (lpddr4)"
  std::string port_text() const;
};

inline constexpr const char* kDefaultAccelerator = "edge-tpu";

// The valid names, for --help.
std::string accelerator_help();
std::string memory_help();

// "64x64".
Result<systolic::Array> parse_array(std::string_view text);
// "1024/2048/1024", in KiB of SCALE-Sim's one-byte words.
Result<systolic::Scratchpads> parse_scratchpads(std::string_view text);
std::string scratchpads_text(const systolic::Scratchpads& scratchpads);

// The command line options for array and memory.
struct MachineSource {
  std::optional<std::string> config;  // -c
  std::optional<std::string> accelerator, memory;
  std::optional<systolic::Array> array;
  std::optional<systolic::Dataflow> dataflow;
  std::optional<systolic::Scratchpads> scratchpads;
  std::optional<std::string> bandwidth;
  std::optional<Hertz> clock;
  std::string semantics = "v3";

  void declare(Options& options);
  Result<Setup> resolve() const;

 private:
  Result<Setup> resolve_config() const;
  Result<Setup> resolve_accelerator() const;
  Result<> override_machine(Setup& setup) const;
  std::string run_name(const std::string& accelerator_name, const std::string& memory_name) const;
};

// Checks and parses a bandwidth: "20" (words per cycle), "28.8GB/s" or "calc".
Result<> check_bandwidth(std::string_view text);
Result<systolic::MemoryPort> parse_bandwidth(std::string_view text, systolic::Semantics semantics,
                                             const systolic::Accelerator* accelerator,
                                             std::optional<Hertz> clock);
// Fails if a port of SCALE-Sim would have less than one word per cycle.
Result<systolic::MemoryPort> port_of(double words_per_cycle, systolic::Semantics semantics);

}  // namespace ergon::app
