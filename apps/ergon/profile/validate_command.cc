#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "profile/profile_commands.h"
#include "profile/profile_text.h"
#include "profile/validation.h"
#include "report/profile_json.h"

namespace ergon::app {
namespace {

struct Settings {
  std::string folder;
  double within = 0.10;
  bool any_board = false;
};

bool holds(const profile::Agreement& agreement, double within) {
  return agreement.median_time_error.value_or(0) <= within &&
         agreement.median_energy_error.value_or(0) <= within;
}

Result<int> validate(Shell& shell, const Settings& settings) {
  const auto contents = profile::read_dataset(settings.folder);
  if (!contents) return contents.error();
  profile::ValidationOptions options;
  options.tolerance = settings.within;
  options.any_board = settings.any_board;
  const auto validation = profile::validate(*contents, options);
  if (validation.checks.empty())
    return fail(Errc::invalid_input, "{}: no whole network was measured", settings.folder);
  bool simulated = false;
  for (const profile::Row& row : contents->rows) simulated = simulated || row.simulated;
  if (shell.json) {
    nlohmann::ordered_json body = {
        {"simulated", simulated}, {"folder", settings.folder}, {"within", settings.within}};
    body.update(report::validation_json(validation));
    if (auto printed = shell.print_document("ergon.profile.validate/1", {settings.folder}, body, simulated);
        !printed)
      return printed.error();
  } else {
    std::string text = validation_text(validation, settings.within, shell.table_style());
    if (simulated) text += "\nSome of these numbers are simulated.\n";
    if (auto printed = shell.print(text); !printed) return printed.error();
  }
  const bool large = std::any_of(validation.checks.begin(), validation.checks.end(), [&](const auto& check) {
    return check.network.condition.batch >= options.large_batch;
  });
  if (large && validation.large.networks == 0) {
    shell.note("no network from batch 32 on could be judged: that needs all its operations, in valid rows");
    return kExitClaimFailed;
  }
  return holds(validation.large, settings.within) ? kExitDone : kExitClaimFailed;
}

Action declare(Options& options) {
  auto settings = std::make_shared<Settings>();
  options.argument("DIR", settings->folder, "a dataset that `ergon profile` made");
  options.share("--within", settings->within, {0, 1, false},
                "how far a sum may be off and still agree (10%)");
  options.flag("--any-board", settings->any_board, "sum operations that another device has run as well");
  return [settings](Shell& shell) { return validate(shell, *settings); };
}

}  // namespace

Command profile_validate_command() {
  return {
      .name = "validate",
      .summary = "the sum of a network's operations beside the whole network",
      .description =
          "Says where the sum fails, by how much and why. Exit code 3 when the median of batches "
          "from 32 on is off by more than --within.",
      .declare = declare,
      .children = {},
  };
}

}  // namespace ergon::app
