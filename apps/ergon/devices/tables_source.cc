#include "devices/tables_source.h"

#include <fmt/format.h>

namespace ergon::app {

void TablesSource::declare(Options& options) {
  options.list("--tables", folders, "DIR,...",
               "folders of measured tables (default: ../shared/data and data/reference, where they are)");
}

std::vector<std::filesystem::path> TablesSource::places() const {
  if (!folders.empty()) return {folders.begin(), folders.end()};
  std::vector<std::filesystem::path> found;
  for (const char* usual : {"../shared/data", "data/reference"}) {
    std::error_code ignored;
    if (std::filesystem::is_directory(usual, ignored)) found.emplace_back(usual);
  }
  return found;
}

Result<calibrate::Measured> TablesSource::load() const {
  for (const std::string& folder : folders) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      return fail(Errc::not_found, "--tables: there is no folder {}", folder);
  }
  auto measured = calibrate::read_measured(places());
  if (!measured) return measured.error();
  if (measured->tables.empty()) {
    return fail(Errc::not_found,
                "no measured tables{}; --tables names a folder of them (data/README.md lists them)",
                folders.empty() ? " here" : " in what --tables names");
  }
  return measured;
}

}  // namespace ergon::app
