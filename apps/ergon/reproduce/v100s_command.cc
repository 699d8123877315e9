#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "reproduce/reproduce_commands.h"
#include "reproduce/v100s_claims.h"
#include "reproduce/v100s_text.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

struct V100sSettings {
  V100sOptions study;
  bool claims_only = false;
};

Result<int> reproduce_v100s(const V100sSettings& settings, Shell& shell) {
  if (settings.study.resume && settings.study.folder.empty()) {
    shell.error("--resume needs --out DIR, the folder to continue");
    return kExitUsage;
  }
  const auto study = study_v100s(settings.study, shell);
  if (!study) return study.error();
  const auto judged = v100s_claims(*study);
  if (!judged) return judged.error();
  const std::vector<Claim>& claims = *judged;
  if (shell.json) {
    Json body = v100s_json(*study, claims, settings.claims_only);
    const auto printed = shell.print_document("ergon.reproduce.v100s/2", {}, body, true);
    if (!printed) return printed.error();
  } else {
    const auto printed =
        shell.print_report(v100s_text(*study, claims, settings.claims_only, shell.table_style()));
    if (!printed) return printed.error();
  }
  const bool all_hold = std::none_of(claims.begin(), claims.end(),
                                     [](const Claim& claim) { return claim.verdict == Verdict::no; });
  return all_hold ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command reproduce_v100s_command() {
  return {
      .name = "v100s",
      .summary = "V100S paper: 31 networks at 196 clocks, one image per execution",
      .description =
          "The 18,228 executions of Drechsler, Metz and Plump on the twin of a V100S, a verdict for every "
          "claim, and the same networks in steady inference. docs/sweep.md describes an execution.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<V100sSettings>();
        options.flag("--claims", settings->claims_only, "print only the claims");
        options.text("--out", settings->study.folder, "DIR",
                     "folder for the runs, as written by `ergon sweep` (default: none)");
        options.flag("--resume", settings->study.resume, "continue an interrupted study in --out");
        return [settings](Shell& shell) { return reproduce_v100s(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
