#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "reproduce/reproduce_commands.h"
#include "reproduce/thesis_claims.h"
#include "reproduce/thesis_text.h"

namespace ergon::app {
namespace {

struct ThesisSettings {
  ThesisOptions study;
  bool claims_only = false;
};

Result<int> reproduce_thesis(const ThesisSettings& settings, Shell& shell) {
  if (settings.study.folds < 2) {
    shell.error("--folds: expected 2 or more");
    return kExitUsage;
  }
  const auto study = study_thesis(settings.study, shell);
  if (!study) return study.error();
  const std::vector<ThesisClaim> claims = thesis_claims(*study);
  if (shell.json) {
    std::vector<std::string> inputs;
    if (!study->folder.empty()) inputs.push_back(study->folder);
    const auto body = thesis_json(*study, claims, settings.claims_only);
    if (auto printed = shell.print_document("ergon.reproduce.thesis/2", std::move(inputs), body, true);
        !printed)
      return printed.error();
  } else {
    const auto text = thesis_text(*study, claims, settings.claims_only, shell.table_style());
    if (auto printed = shell.print_report(text); !printed) return printed.error();
  }
  const bool all_hold =
      std::none_of(claims.begin(), claims.end(), [](const ThesisClaim& each) { return each.fails(); });
  return all_hold ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command reproduce_thesis_command() {
  return {
      .name = "thesis",
      .summary = "Nicolai's thesis: learned time and power, 18 networks at six clocks",
      .description =
          "Claims of C. Nicolai's thesis on an A30 and an RTX 2080 Ti, each with a verdict and its source: "
          "measured rows of the thesis, or the bundled predictors. Claims that need the measured tables are "
          "not checked without them.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ThesisSettings>();
        options.flag("--claims", settings->claims_only, "print only the claims");
        options.text("--data", settings->study.folder, "DIR",
                     "folder of a30_2080ti_operations.csv and a30_2080ti_networks.csv (default: "
                     "../shared/data/gpu)");
        options.count("--folds", settings->study.folds, "folds of the cross-validation (default: 15)");
        return [settings](Shell& shell) { return reproduce_thesis(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
