#include "sources/measured_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/installation.h"

namespace ergon::sources {

namespace {

constexpr const char* kDefaultFolders[] = {"../shared/data", "data/reference"};

}  // namespace

std::vector<std::filesystem::path> MeasuredTablesSource::search_folders() const {
  if (!folders.empty()) return {folders.begin(), folders.end()};
  std::vector<std::filesystem::path> found;
  for (const char* folder : kDefaultFolders) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) found.emplace_back(folder);
  }
  if (!found.empty()) return found;
  if (auto installed = installed_data("reference")) found.push_back(*std::move(installed));
  return found;
}

Result<calibrate::MeasuredTables> MeasuredTablesSource::load() const {
  for (const std::string& folder : folders) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      return fail(Errc::not_found, "--tables: folder not found: {}", folder);
  }
  auto measured = calibrate::read_measured(search_folders());
  if (!measured) return measured.error();
  if (measured->tables.empty()) {
    return fail(Errc::not_found,
                "no measured tables in {}; pass their folder with --tables (data/README.md lists the tables)",
                folders.empty() ? fmt::format("{}", fmt::join(kDefaultFolders, " and "))
                                : fmt::format("{}", fmt::join(folders, ", ")));
  }
  return measured;
}

}  // namespace ergon::sources
