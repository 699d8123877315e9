#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profile/profile_commands.h"
#include "profile/profile_settings.h"
#include "profile/profile_text.h"
#include "profile/test_bench/profile_run.h"
#include "report/profile_json.h"
#include "sources/network_list.h"
#include "sources/stored_networks.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

Result<> print(const ProfileSettings& settings, const profile::ProfileRun& run,
               const profile::ProfileResult& result, Shell& shell) {
  const bool simulated = run.facts().simulated;
  if (!shell.json) {
    return shell.print_report(profile_text(result.summary, result.networks,
                                           {settings.device(), settings.out, simulated, run.warnings()},
                                           shell.table_style()));
  }
  Json body = {{"simulated", simulated}, {"folder", settings.out}};
  body["device"] = run.bench().json();
  body["warnings"] = run.warnings();
  body.update(report::profile_json(result.summary, result.networks));
  return shell.print_document("ergon.profile/2", {}, body, simulated);
}

Result<int> run_profile(const ProfileSettings& settings, Shell& shell) {
  // Not declared as required, because the parser would require them for the subcommands too.
  if (settings.device().empty() || settings.networks.empty() || settings.out.empty()) {
    shell.error("--device, --networks and --out are required; see ergon profile --help");
    return kExitUsage;
  }
  const profile::ProfileRequest request = settings.request();
  if (auto fine = profile::check(request); !fine) {
    if (fine.error().kind != Errc::invalid_input) return fine.error();
    shell.error(fine.error().message);
    return kExitUsage;
  }
  const auto networks = sources::load_networks(settings.networks, settings.size);
  if (!networks) return networks.error();
  auto run = profile::ProfileRun::prepare(request, *networks, {shell.clock(), shell.stop(), shell.notify()});
  if (!run) return run.error();
  auto dataset = profile::Dataset::open(settings.out, {settings.resume});
  if (!dataset) return dataset.error();
  if (auto stored = sources::store_networks(settings.out, settings.networks); !stored) return stored.error();
  auto progress = shell.progress({"profile", run->rows(), "rows"});
  const auto result = run->measure(*dataset, [&](const profile::Row&) { progress->advance(); });
  progress.reset();
  if (!result) {
    shell.note(fmt::format("finished rows are in {}; continue with --resume", settings.out));
    return result.error();
  }
  if (!result->restored) return result->restored.error();
  if (auto printed = print(settings, *run, *result, shell); !printed) return printed.error();
  return result->summary.none_valid() ? kExitClaimFailed : kExitDone;
}

Action declare(Options& options) {
  auto settings = std::make_shared<ProfileSettings>();
  settings->declare(options);
  return [settings](Shell& shell) { return run_profile(*settings, shell); };
}

}  // namespace

Command profile_command() {
  return {
      .name = "profile",
      .summary = "measure operations and networks on a device",
      .description = "Writes time, power and energy to CSV files. Method: docs/profile.md.",
      .declare = declare,
      .children = {profile_validate_command(), profile_merge_command()},
  };
}

}  // namespace ergon::app
