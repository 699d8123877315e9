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
                 : shell.print(fmt::format("{} rows{} -> {}; {} were replaced by others of the same key\n",
                                           merged->rows, merged->simulated ? ", some simulated," : "",
                                           settings.out, merged->replaced));
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare(Options& options) {
  auto settings = std::make_shared<Settings>();
  options.arguments("DIR", settings->folders, "datasets that `ergon profile` made");
  options.text("--out", settings->out, "DIR", "the new one");
  options.require("--out");
  return [settings](Shell& shell) { return merge(shell, *settings); };
}

}  // namespace

Command profile_merge_command() {
  return {
      .name = "merge",
      .summary = "several datasets in one",
      .description =
          "Of rows of the same operation or network under the same conditions the newest that was "
          "measured is kept.",
      .declare = declare,
      .children = {},
  };
}

}  // namespace ergon::app
