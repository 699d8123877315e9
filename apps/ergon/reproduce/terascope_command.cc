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
      body["duplicates_counted"] = report::fleet_json(study->duplicates_counted, {}, {});
      body["duplicates_removed"] = report::fleet_json(study->duplicates_removed, {}, {});
    }
    // Simulated, because the samples are reconstructed.
    printed = shell.print_document("ergon.reproduce.terascope/2", study->files, body, true);
  } else {
    std::string text = claims_text(claims, shell.table_style());
    if (!settings.claims_only)
      text +=
          fmt::format("\nDuplicate rows counted once, events integrated (samples are reconstructed):\n\n{}",
                      fleet_text(study->duplicates_removed, {}, shell.table_style()));
    printed = shell.print_report(text);
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
      .summary = "TeraScope: events and samples of 1,024 GPUs that rendered a city",
      .description =
          "Numbers and conclusions of P. Pradeep's study, recomputed from its files, with events integrated "
          "from START to STOP. The study's GPU samples are not public. Reconstructed samples replace them: "
          "they test the pipeline and say nothing about those GPUs.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<TeraScopeSettings>();
        options.flag("--claims", settings->claims_only, "print only the claims");
        options.text("--data", settings->folder, "DIR",
                     "folder of the study's files, plain or compressed (default: ../shared/data/fleet)");
        return [settings](Shell& shell) { return reproduce_terascope(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
