#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file.h"
#include "fleet/ingest.h"

namespace ergon::fleet {

// Writes tasks.csv in a folder, one row per task, while the logs are read.
class TaskFile {
 public:
  // Creates the folder if it does not exist.
  static Result<TaskFile> create(const std::filesystem::path& folder);

  Result<> add(const TaskRun& run);
  // Discards all rows.
  Result<> restart();
  Result<> commit();

 private:
  explicit TaskFile(std::filesystem::path path) : path_(std::move(path)) {}
  Result<> flush();

  std::filesystem::path path_;
  std::optional<AtomicFile> file_;
  std::string text_;
};

}  // namespace ergon::fleet
