#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "calibrate/measured.h"
#include "options.h"

namespace ergon::app {

// Where measured tables lie.
struct TablesSource {
  std::vector<std::string> folders;

  void declare(Options& options);
  // Errors: no folder, no table in them, a table that cannot be read.
  Result<calibrate::Measured> load() const;
  std::vector<std::filesystem::path> places() const;
};

}  // namespace ergon::app
