#include "devices/device_options.h"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ergon::app {

void declare_precision(Options& options, std::optional<device::Precision>& precision) {
  options.enumeration("--precision", precision, device::kPrecisions,
                      "data type (default: the file's, or tf32)");
}

void declare_precision_briefly(Options& options, std::optional<device::Precision>& precision) {
  options.enumeration("--precision", precision, "P", device::kPrecisions,
                      fmt::format("{} (default: the file's, or tf32)", device::kPrecisionList));
}

void note_warnings(const std::vector<std::string>& warnings, Shell& shell) {
  for (const std::string& warning : warnings) shell.note("warning: " + warning);
}

void declare_host(Options& options, std::optional<predict::LaunchHost>& host) {
  std::vector<std::string_view> names;
  for (const predict::LaunchHost each : predict::kLaunchHosts) names.push_back(name_of(each));
  options.parsed("--host", fmt::format("{}", fmt::join(names, "|")),
                 "program that launches kernels (default: by network)",
                 [&host](std::string_view text) -> Result<> {
                   const auto named = predict::launch_host_named(text);
                   if (!named) return named.error();
                   host = *named;
                   return {};
                 });
}

void declare_tables(Options& options, sources::MeasuredTablesSource& tables) {
  options.list("--tables", tables.folders, "DIR,...",
               "folders of measured tables (default: ../shared/data,data/reference)");
}

}  // namespace ergon::app
