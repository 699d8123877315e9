#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "reproduce/batchsizer_claims.h"
#include "reproduce/batchsizer_text.h"
#include "reproduce/reproduce_commands.h"

namespace ergon::app {
namespace {

Result<int> reproduce_batchsizer(bool claims_only, Shell& shell) {
  const auto study = study_batchsizer(shell.stop());
  if (!study) return study.error();
  const std::vector<Claim> claims = batchsizer_claims(*study);
  if (shell.json) {
    const auto body = batchsizer_json(*study, claims, claims_only);
    const auto printed = shell.print_document("ergon.reproduce.batchsizer/2", {}, body, true);
    if (!printed) return printed.error();
  } else {
    const auto printed =
        shell.print_report(batchsizer_text(*study, claims, claims_only, shell.table_style()));
    if (!printed) return printed.error();
  }
  const bool all_hold = std::none_of(claims.begin(), claims.end(),
                                     [](const Claim& claim) { return claim.verdict == Verdict::no; });
  return all_hold ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command reproduce_batchsizer_command() {
  return {
      .name = "batchsizer",
      .summary = "BatchSizer: 20 jobs under power caps, by batch size and clock",
      .description =
          "The jobs of Nabavinejad, Reda and Ebrahimi on the twin of a P40 that is limited by its input: "
          "BatchSizer, DVFS, batchsizer+ and joint compared with an oracle, and a verdict for every claim. "
          "docs/reproduce-batchsizer.md describes the model of the input.",
      .declare = [](Options& options) -> Action {
        auto claims_only = std::make_shared<bool>(false);
        options.flag("--claims", *claims_only, "print only the claims");
        return [claims_only](Shell& shell) { return reproduce_batchsizer(*claims_only, shell); };
      },
  };
}

}  // namespace ergon::app
