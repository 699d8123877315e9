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

Result<int> validate(Shell& shell, const Settings& settings) {
  const auto contents = profile::read_dataset(settings.folder);
  if (!contents) return contents.error();
  profile::ValidationOptions options;
  options.tolerance = settings.within;
  options.any_board = settings.any_board;
  const auto validation = profile::validate(*contents, options);
  if (validation.checks.empty())
    return fail(Errc::invalid_input, "{}: the dataset has no network rows", settings.folder);
  const bool simulated = contents->simulated();
  if (shell.json) {
    nlohmann::ordered_json body = {
        {"simulated", simulated}, {"folder", settings.folder}, {"within", settings.within}};
    body.update(report::validation_json(validation));
    if (auto printed = shell.print_document("ergon.profile.validate/2", {settings.folder}, body, simulated);
        !printed)
      return printed.error();
  } else {
    std::string text = validation_text(validation, settings.within, shell.table_style());
    if (simulated) text += "\nSome of these values are simulated.\n";
    if (auto printed = shell.print_report(text); !printed) return printed.error();
  }
  const auto claim = profile::claim_of(validation, options);
  if (claim == profile::SumClaim::incomplete)
    shell.note("no network at batch >= 32 has a valid row and rows of all its operations");
  return claim == profile::SumClaim::holds ? kExitDone : kExitClaimFailed;
}

Action declare(Options& options) {
  auto settings = std::make_shared<Settings>();
  options.argument("DIR", settings->folder, "dataset of `ergon profile`");
  options.percentage("--within", settings->within, {0, 1, false},
                     "tolerated error of the sum (default: 10%)");
  options.flag("--any-board", settings->any_board, "use operations of other devices of the same product");
  return [settings](Shell& shell) { return validate(shell, *settings); };
}

}  // namespace

Command profile_validate_command() {
  return {
      .name = "validate",
      .summary = "compare networks with the sum of their operations",
      .description =
          "Shows the error of the sum and its cause. Exit code 3 if the median error at batch >= 32 "
          "exceeds --within.",
      .declare = declare,
      .children = {},
  };
}

}  // namespace ergon::app
