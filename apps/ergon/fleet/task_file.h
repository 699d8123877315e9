#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file.h"
#include "fleet/ingest.h"

namespace ergon::app {

// tasks.csv in a folder: every task that was run, written while it is found.
class TaskFile {
 public:
  // Makes the folder if there is none.
  static Result<TaskFile> create(const std::filesystem::path& folder);

  Result<> add(const fleet::TaskRun& run);
  // Begins anew.
  Result<> restart();
  Result<> commit();

 private:
  explicit TaskFile(std::filesystem::path path) : path_(std::move(path)) {}
  Result<> flush();

  std::filesystem::path path_;
  std::optional<AtomicFile> file_;
  std::string text_;
};

}  // namespace ergon::app
