#include "devices/tables_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ergon::app {

void TablesSource::declare(Options& options) {
  options.list("--tables", folders, "DIR,...",
               "folders of measured tables (default: ../shared/data,data/reference)");
}

std::vector<std::filesystem::path> TablesSource::search_folders() const {
  if (!folders.empty()) return {folders.begin(), folders.end()};
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"../shared/data", "data/reference"}) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) found.emplace_back(folder);
  }
  return found;
}

Result<calibrate::MeasuredTables> TablesSource::load() const {
  for (const std::string& folder : folders) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      return fail(Errc::not_found, "--tables: folder not found: {}", folder);
  }
  auto measured = calibrate::read_measured(search_folders());
  if (!measured) return measured.error();
  if (measured->tables.empty()) {
    return fail(
        Errc::not_found,
        "no measured tables in {}; pass their folder with --tables (data/README.md lists the tables)",
        folders.empty() ? "../shared/data and data/reference" : fmt::format("{}", fmt::join(folders, ", ")));
  }
  return measured;
}

}  // namespace ergon::app
