#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "systolic/array/array.h"
#include "systolic/catalog/catalog.h"
#include "systolic/energy.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/semantics.h"
#include "systolic/setup/bandwidth.h"

namespace ergon::systolic {

// An array with its memory, ready to simulate.
struct Setup {
  std::string name;  // of the run
  Machine machine;
  MemoryPort port;
  Semantics semantics = Semantics::v3;
  std::optional<Hertz> clock;              // with an accelerator
  std::optional<Accelerator> accelerator;  // with this machine; absent if the array comes from a .cfg file
  std::optional<Memory> memory;            // of the accelerator
  bool uses_memory_bandwidth = false;      // the port has the bandwidth of `memory`
  std::optional<AccessEnergies> energies;  // of the accelerator with `memory`
  std::string energy_table;                // that the energies come from
  std::vector<std::string> files;          // that were read
  std::vector<std::string> warnings;

  // The memory, if the bandwidth is its bandwidth.
  std::optional<std::string> bandwidth_memory() const;
  // "64 x 64 os, scratchpads 1024/2048/1024 Ki words"
  std::string machine_text() const;
  // "8 words per cycle for each operand (lpddr4)"; with a given bandwidth "... (energy of lpddr4)".
  std::string port_text() const;
  // Name of the folder of SCALE-Sim's reports: that of the .cfg file, or network and settings.
  std::string report_folder(const std::string& network) const;
};

// What a user chose. A value that is absent is the accelerator's.
struct SetupRequest {
  std::optional<std::string> accelerator, memory;  // built-in names or files; absent: the defaults
  std::optional<Array> array;
  std::optional<Dataflow> dataflow;
  std::optional<Scratchpads> scratchpads;
  std::optional<Bandwidth> bandwidth;  // instead of the memory's, which still sets the energy of a word
  std::optional<Hertz> clock;
  Semantics semantics = Semantics::v3;
};

// An accelerator of the catalog or of a file. Errors: unknown names; those of reading files; sizes that do
// not fit; a bandwidth that the timing rules cannot use.
Result<Setup> resolve(const SetupRequest& request);

// The array of a SCALE-Sim configuration file (.cfg). Uses array, dataflow, scratchpads, bandwidth and
// semantics of the request. Contract: accelerator, memory and clock are absent.
Result<Setup> resolve_config(const std::string& file, const SetupRequest& request);

}  // namespace ergon::systolic
