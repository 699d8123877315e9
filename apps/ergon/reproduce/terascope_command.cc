#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "fleet/fleet_text.h"
#include "report/fleet_json.h"
#include "reproduce/reproduce_commands.h"
#include "reproduce/terascope_claims.h"

namespace ergon::app {
namespace {

struct TeraScopeSettings {
  std::string folder;
  bool claims_only = false;
};

Result<int> reproduce_terascope(const TeraScopeSettings& settings, Shell& shell) {
  const auto study = study_terascope(settings.folder, shell);
  if (!study) return study.error();
  const std::vector<Claim> claims = terascope_claims(*study);
  Result<> printed;
  if (shell.json) {
    nlohmann::ordered_json body{{"claims", claims_json(claims)}};
    if (!settings.claims_only) {
      body["counted_as_there"] = report::fleet_json(study->counted_as_there, {}, {});
      body["duplicates_removed"] = report::fleet_json(study->duplicates_removed, {}, {});
    }
    // The samples are a reconstruction.
    printed = shell.print_document("ergon.reproduce.terascope/1", study->files, body, true);
  } else {
    std::string text = claims_text(claims, shell.table_style());
    if (!settings.claims_only)
      text += fmt::format(
          "\nWith each row counted once, and every event integrated (samples are reconstructed):\n\n{}",
          fleet_text(study->duplicates_removed, {}, shell.table_style()));
    printed = shell.print(text);
  }
  if (!printed) return printed.error();
  const bool all_hold = std::none_of(claims.begin(), claims.end(),
                                     [](const Claim& claim) { return claim.verdict == Verdict::no; });
  return all_hold ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command reproduce_terascope_command() {
  return {
      .name = "terascope",
      .summary = "events and samples of 1,024 GPUs that rendered a city",
      .description =
          "The figures of P. Pradeep's study from its own files, and what it concluded, held against events "
          "integrated from START to STOP. Its samples of GPUs are not public: a reconstruction stands for "
          "them, and shows what a join does, not what those GPUs did.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<TeraScopeSettings>();
        options.flag("--claims", settings->claims_only, "only the claims");
        options.text("--data", settings->folder, "DIR",
                     "the folder with the study's files, plain or compressed");
        return [settings](Shell& shell) { return reproduce_terascope(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
