#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/version.h"
#include "networks/stored_networks.h"
#include "profile/profile_commands.h"
#include "profile/profile_settings.h"
#include "profile/profile_text.h"
#include "profile/runner.h"
#include "profile/test_bench.h"
#include "report/profile_json.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

class Run {
 public:
  Run(Shell& shell, const ProfileSettings& settings) : shell_(shell), settings_(settings) {}

  Result<int> operator()() {
    // Not declared as required, because the parser would require them for the subcommands too.
    if (settings_.device.empty() || settings_.networks.empty() || settings_.out.empty()) {
      shell_.error("--device, --networks and --out are required; see ergon profile --help");
      return kExitUsage;
    }
    if (auto fine = settings_.check(); !fine) {
      if (fine.error().kind != Errc::invalid_input) return fine.error();
      shell_.error(fine.error().message);
      return kExitUsage;
    }
    auto candidates = settings_.candidates();
    if (!candidates) return candidates.error();
    const profile::ProfileGrid grid = settings_.grid();
    auto plan = profile::plan(*candidates, grid);
    if (!plan) return plan.error();
    auto bench = TestBench::open({settings_.device, settings_.allow_control, settings_.seed}, shell_);
    if (!bench) return bench.error();
    if (auto fine = check_operations(*candidates, grid, (*bench)->engine()); !fine) return fine.error();
    for (const auto& clock : grid.clocks) {
      if (auto fine = (*bench)->check_clock(clock); !fine) return fine.error();
    }
    auto dataset = profile::Dataset::open(settings_.out, {settings_.resume});
    if (!dataset) {
      const bool has_rows =
          !settings_.resume && dataset.error().message.find("already contains") != std::string::npos;
      return has_rows ? fail(Errc::invalid_input, "{}; use --resume to add rows", dataset.error().message)
                      : dataset.error();
    }
    if (auto kept = store_networks(settings_.out, settings_.networks); !kept) return kept.error();
    auto summary = measure(*plan, **bench, *dataset);
    const auto restored = (*bench)->release();
    if (!summary) {
      shell_.note(fmt::format("finished rows are in {}; continue with --resume", settings_.out));
      return summary.error();
    }
    if (!restored) return restored.error();
    return print(*summary, **bench);
  }

 private:
  // Reports unsupported operations before anything is measured.
  Result<> check_operations(const std::vector<profile::LoadedNetwork>& candidates,
                            const profile::ProfileGrid& grid, profile::Engine& engine) {
    for (const profile::LoadedNetwork& candidate : candidates) {
      for (const graph::Mode mode : grid.modes) {
        const profile::RunCondition condition{grid.batches.front(), mode, grid.precisions.front(),
                                              profile::Layout::nchw};
        const auto fine =
            engine.check(candidate.network, candidate.content ? &*candidate.content : nullptr, condition);
        if (fine) continue;
        if (fine.error().kind != Errc::unsupported) return fine.error().in(candidate.name);
        const std::string message =
            fmt::format("{}: {} cannot run {}", candidate.name, engine.facts().engine, fine.error().message);
        if (!settings_.skip_unsupported)
          return fail(Errc::unsupported, "{}; use --skip-unsupported to measure the rest", message);
        shell_.note(message + "; skipped");
        break;
      }
    }
    return {};
  }

  Result<profile::RunSummary> measure(const profile::ProfilePlan& plan, TestBench& bench,
                                      profile::Dataset& dataset) {
    profile::ProfileMethod method;
    method.seed = settings_.seed;
    if (settings_.duration) method.time = *settings_.duration;
    if (settings_.warm_up) method.warm_up = *settings_.warm_up;
    const auto session = dataset.begin_session(provenance(bench, method));
    if (!session) return session.error();
    profile::Profiler profiler(bench.engine(), bench.power_meter(), bench.clock(), method);
    auto progress = shell_.progress({"profile", plan.items.size(), "rows"});
    profile::PlanRunOptions options;
    options.overlap = settings_.overlap;
    options.time_limit = settings_.time_limit;
    options.any_board = settings_.any_board;
    options.hold_clock = [&](std::optional<Hertz> clock) { return bench.hold_clock(clock); };
    if (settings_.wait_idle) options.before_row = [&] { return wait_for_others(bench); };
    options.after_row = [&](const profile::Row& row) {
      progress->advance();
      if (row.subject.kind == profile::Subject::Kind::network) networks_.push_back(row);
    };
    return run_plan(plan, bench.engine().facts().uuid, profiler, dataset, bench.clock(), options,
                    shell_.stop(), *session);
  }

  Result<> wait_for_others(TestBench& bench) {
    bool noted = false;
    for (auto others = bench.other_processes(); !others.empty(); others = bench.other_processes()) {
      if (shell_.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
      if (!noted) shell_.note(fmt::format("waiting: the GPU is used by process {}", fmt::join(others, ", ")));
      noted = true;
      constexpr Seconds kPollInterval{0.5};
      shell_.clock().sleep_until(shell_.clock().now() + kPollInterval);
    }
    return {};
  }

  Json provenance(const TestBench& bench, const profile::ProfileMethod& method) {
    Json json = bench.json();
    json["overlap"] = settings_.overlap;
    json["ergon"] = build_facts().version;
    json["commit"] = build_facts().commit;
    json["begun"] = to_text(shell_.clock().wall_now());
    json["method"] = {
        {"least_seconds", method.time.si()},
        {"warm_up_seconds", method.warm_up.si()},
        {"segments", method.segments},
        {"seed", method.seed},
        {"weights", "random, or the numbers of an ONNX file that holds them"},
        {"operations", "a block of instances with weights of their own takes turns; one input"},
        {"training", "forward, backward from a random output gradient, gradients reset; no optimizer"},
        {"power", "mean of the readings within three standard deviations"},
        {"order", "random, by the seed"}};
    return json;
  }

  Result<int> print(const profile::RunSummary& summary, TestBench& bench) {
    const bool simulated = bench.engine().facts().simulated;
    if (shell_.json) {
      Json body = {{"simulated", simulated}, {"folder", settings_.out}};
      body["device"] = bench.json();
      body.update(report::profile_json(summary, networks_));
      if (auto printed = shell_.print_document("ergon.profile/2", {}, body, simulated); !printed)
        return printed.error();
    } else {
      const std::string text = profile_text(summary, networks_, {settings_.device, settings_.out, simulated},
                                            shell_.table_style());
      if (auto printed = shell_.print_report(text); !printed) return printed.error();
    }
    const auto measured = summary.rows.find(profile::Status::measured);
    const bool none_valid = measured != summary.rows.end() && summary.invalid == measured->second;
    return none_valid ? kExitClaimFailed : kExitDone;
  }

  Shell& shell_;
  const ProfileSettings& settings_;
  std::vector<profile::Row> networks_;
};

Action declare(Options& options) {
  auto settings = std::make_shared<ProfileSettings>();
  settings->declare(options);
  return [settings](Shell& shell) { return Run(shell, *settings)(); };
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
