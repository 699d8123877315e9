#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace ergon::device::rapl {

// A package of a processor, or the memory that belongs to one.
struct Domain {
  int package = 0;
  int die = -1;  // none where a package has one counter for all its dies
  bool memory = false;
  // The folders that show it, the preferred one first: registers (intel-rapl) before the memory-mapped copy
  // of the same counter (intel-rapl-mmio).
  std::vector<std::filesystem::path> zones;

  std::string id() const;     // "cpu0", "dram0", "cpu0-die1"
  std::string label() const;  // "package-0", "package-0-dram", "package-0-die-1"
};

// Package by package, its memory behind it. Empty where the folder does not exist.
Result<std::vector<Domain>> list_domains(const std::filesystem::path& powercap);

}  // namespace ergon::device::rapl
