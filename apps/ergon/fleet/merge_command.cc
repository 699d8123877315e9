#include <filesystem>
#include <memory>

#include "base/file.h"
#include "fleet/fleet_commands.h"
#include "fleet/fleet_output.h"
#include "report/fleet_part.h"

namespace ergon::app {
namespace {

struct FleetMergeSettings {
  std::vector<std::string> parts;
  FleetOutput output;
};

// A file of --part, or a folder of --out.
Result<fleet::Tally> read_part(const std::string& path) {
  std::error_code failed;
  const bool folder = std::filesystem::is_directory(path, failed);
  const std::filesystem::path file =
      folder ? std::filesystem::path(path) / "part.json" : std::filesystem::path(path);
  const auto text = read_file(file);
  if (!text) return text.error();
  auto tally = report::read_fleet_part(*text);
  if (!tally) return tally.error().in(file.string());
  return tally;
}

Result<int> merge_fleet(const FleetMergeSettings& settings, Shell& shell) {
  std::optional<fleet::Tally> whole;
  for (const std::string& path : settings.parts) {
    if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
    auto part = read_part(path);
    if (!part) return part.error();
    if (!whole) {
      whole = std::move(*part);
    } else if (auto merged = fleet::merge(*whole, *part); !merged) {
      return merged.error().in(path);
    }
  }
  if (settings.output.out) {
    std::error_code failed;
    std::filesystem::create_directories(*settings.output.out, failed);
    if (failed) return errno_error(failed.value()).in(*settings.output.out);
  }
  return settings.output.deliver(*whole, settings.parts, {}, shell);
}

}  // namespace

Command fleet_merge_command() {
  return {
      .name = "merge",
      .summary = "merge analyses of different hosts",
      .description =
          "Parts are files of `analyze --part` or folders of `analyze --out`, for different hosts. The "
          "result "
          "is identical to one analysis of all hosts.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<FleetMergeSettings>();
        options.arguments("PART", settings->parts,
                          "a file of `analyze --part`, or a folder of `analyze --out`");
        settings->output.declare(options);
        return [settings](Shell& shell) { return merge_fleet(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
