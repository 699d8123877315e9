#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "calibrate/measured.h"
#include "options.h"

namespace ergon::app {

// The --tables option: folders of measured tables.
struct TablesSource {
  std::vector<std::string> folders;

  void declare(Options& options);
  // Errors: a missing folder, no tables, a table that cannot be read.
  Result<calibrate::MeasuredTables> load() const;
  // The folders to search: --tables, or the defaults that exist.
  std::vector<std::filesystem::path> search_folders() const;
};

}  // namespace ergon::app
