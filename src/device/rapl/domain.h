#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace ergon::device::rapl {

// A RAPL domain: a processor package or its memory.
struct Domain {
  int package = 0;
  int die = -1;  // -1 if the package has one counter for all its dies
  bool memory = false;
  // Powercap folders of this domain, preferred first: intel-rapl (MSR) before intel-rapl-mmio, a
  // memory-mapped copy of the same counter.
  std::vector<std::filesystem::path> zones;

  std::string id() const;     // "cpu0", "dram0", "cpu0-die1"
  std::string label() const;  // "package-0", "package-0-dram", "package-0-die-1"
};

// Sorted by package; each package is followed by its memory. Empty if the folder does not exist.
Result<std::vector<Domain>> list_domains(const std::filesystem::path& powercap);

}  // namespace ergon::device::rapl
