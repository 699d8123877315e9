#include <filesystem>
#include <memory>

#include "fleet/fleet_commands.h"
#include "fleet/fleet_output.h"
#include "report/fleet_part.h"

namespace ergon::app {
namespace {

struct FleetMergeSettings {
  std::vector<std::string> parts;
  FleetOutput output;
};

Result<int> merge_fleet(const FleetMergeSettings& settings, Shell& shell) {
  std::optional<fleet::Tally> whole;
  for (const std::string& path : settings.parts) {
    if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
    auto part = report::read_fleet_part_at(path);
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
