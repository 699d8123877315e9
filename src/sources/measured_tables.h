#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/measured.h"

namespace ergon::sources {

// Measured tables given by a user, as folders.
struct MeasuredTablesSource {
  std::vector<std::string> folders;  // empty: the default folders

  // The given folders, or the default folders that exist: ../shared/data and data/reference of the current
  // folder; outside the repository, data/reference of the installation.
  std::vector<std::filesystem::path> search_folders() const;
  // Errors: a missing folder, no tables, a table that cannot be read.
  Result<calibrate::MeasuredTables> load() const;
};

}  // namespace ergon::sources
