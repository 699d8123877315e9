#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profile/dataset.h"
#include "profile/profile_commands.h"

namespace ergon::app {
namespace {

struct Settings {
  std::vector<std::string> folders;
  std::string out;
};

Result<int> merge(Shell& shell, const Settings& settings) {
  const auto merged = profile::merge_datasets(settings.folders, settings.out);
  if (!merged) return merged.error();
  const nlohmann::ordered_json body = {{"simulated", merged->simulated},
                                       {"folder", settings.out},
                                       {"rows", merged->rows},
                                       {"replaced", merged->replaced}};
  const auto printed =
      shell.json ? shell.print_document("ergon.profile.merge/1", settings.folders, body, merged->simulated)
                 : shell.print_report(fmt::format(
                       "wrote {}: {} rows{}, {} duplicates replaced\n", settings.out, merged->rows,
                       merged->simulated ? " (some simulated)" : "", merged->replaced));
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare(Options& options) {
  auto settings = std::make_shared<Settings>();
  options.arguments("DIR", settings->folders, "datasets of `ergon profile`");
  options.text("--out", settings->out, "DIR", "folder of the new dataset");
  options.require("--out");
  return [settings](Shell& shell) { return merge(shell, *settings); };
}

}  // namespace

Command profile_merge_command() {
  return {
      .name = "merge",
      .summary = "merge datasets",
      .description =
          "Of several rows of an operation or network under the same conditions, the newest measured one "
          "is used.",
      .declare = declare,
      .children = {},
  };
}

}  // namespace ergon::app
