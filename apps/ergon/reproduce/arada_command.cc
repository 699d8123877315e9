#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "reproduce/arada_claims.h"
#include "reproduce/arada_tables.h"
#include "reproduce/reproduce_commands.h"

namespace ergon::app {
namespace {

std::string arada_summary_text(const std::vector<Claim>& claims) {
  const auto counts = [&](bool fitted_too) {
    std::array<std::size_t, 3> of{};
    for (const Claim& claim : claims) {
      if (fitted_too || !claim.fitted) ++of.at(static_cast<std::size_t>(claim.verdict));
    }
    return fmt::format("{} hold exactly, {} approximately, {} do not", of[0], of[1], of[2]);
  };
  const auto fitted =
      std::count_if(claims.begin(), claims.end(), [](const Claim& claim) { return claim.fitted; });
  return fmt::format("{} claims: {}.\nWithout the {} fitted ones: {}.\n", claims.size(), counts(true), fitted,
                     counts(false));
}

Result<int> reproduce_arada(bool claims_only, Shell& shell) {
  const auto study = study_arada(shell.stop());
  if (!study) return study.error();
  const std::vector<Claim> claims = arada_claims(*study);
  if (shell.json) {
    nlohmann::ordered_json body = {
        {"paper",
         "Azhar, Zouzoula and Trancoso: ARADA, Computing Frontiers 2023, doi:10.1145/3587135.3592207"},
        {"claims", claims_json(claims)}};
    if (!claims_only) body.update(arada_tables_json(*study));
    const auto printed = shell.print_document("ergon.reproduce.arada/2", {}, body, true);
    if (!printed) return printed.error();
  } else {
    std::string text = "ARADA (Azhar, Zouzoula and Trancoso, Computing Frontiers 2023), simulated\n\n";
    if (!claims_only) text += arada_tables_text(*study, shell.table_style());
    const auto printed = shell.print_report(text + claims_text(claims, shell.table_style()) + "\n" +
                                            arada_summary_text(claims));
    if (!printed) return printed.error();
  }
  const bool all_hold = std::none_of(claims.begin(), claims.end(),
                                     [](const Claim& claim) { return claim.verdict == Verdict::no; });
  return all_hold ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command reproduce_arada_command() {
  return {
      .name = "arada",
      .summary = "ARADA: per-layer clocks and bandwidths of systolic arrays",
      .description =
          "Table 1 and Figures 3 and 5 to 8 for nine networks on eleven configurations, savings of optimal "
          "schedules, and a verdict for every claim.",
      .declare = [](Options& options) -> Action {
        auto claims_only = std::make_shared<bool>(false);
        options.flag("--claims", *claims_only, "print only the claims");
        return [claims_only](Shell& shell) { return reproduce_arada(*claims_only, shell); };
      },
  };
}

}  // namespace ergon::app
