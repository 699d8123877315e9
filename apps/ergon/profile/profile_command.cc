#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/version.h"
#include "networks/kept_networks.h"
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
    // Not required by the parser, which would want them from the subcommands too.
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
    const profile::Grid grid = settings_.grid();
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
      const bool taken =
          !settings_.resume && dataset.error().message.find("rows already") != std::string::npos;
      return taken ? fail(Errc::invalid_input, "{}; --resume adds to it", dataset.error().message)
                   : dataset.error();
    }
    if (auto kept = keep_networks(settings_.out, settings_.networks); !kept) return kept.error();
    auto summary = measure(*plan, **bench, *dataset);
    const auto restored = (*bench)->release();
    if (!summary) {
      shell_.note(fmt::format("what was measured is in {}; --resume goes on from there", settings_.out));
      return summary.error();
    }
    if (!restored) return restored.error();
    return tell(*summary, **bench);
  }

 private:
  // An operation that cannot be run is said before hours are spent on the rest.
  Result<> check_operations(const std::vector<profile::Candidate>& candidates, const profile::Grid& grid,
                            profile::Engine& engine) {
    for (const profile::Candidate& candidate : candidates) {
      for (const graph::Mode mode : grid.modes) {
        const profile::Condition condition{grid.batches.front(), mode, grid.precisions.front(),
                                           profile::Layout::nchw};
        const auto fine =
            engine.check(candidate.network, candidate.content ? &*candidate.content : nullptr, condition);
        if (fine) continue;
        if (fine.error().kind != Errc::unsupported) return fine.error().in(candidate.name);
        const std::string message =
            fmt::format("{}: {} cannot run {}", candidate.name, engine.facts().engine, fine.error().message);
        if (!settings_.skip_unsupported)
          return fail(Errc::unsupported, "{}; --skip-unsupported measures the rest", message);
        shell_.note(message + "; the rest is measured");
        break;
      }
    }
    return {};
  }

  Result<profile::RunSummary> measure(const profile::Plan& plan, TestBench& bench,
                                      profile::Dataset& dataset) {
    profile::Method method;
    method.seed = settings_.seed;
    if (settings_.time) method.time = *settings_.time;
    if (settings_.warm_up) method.warm_up = *settings_.warm_up;
    const auto session = dataset.begin_session(provenance(bench, method));
    if (!session) return session.error();
    profile::Profiler profiler(bench.engine(), bench.watch(), bench.clock(), method);
    auto progress = shell_.progress({"profile", plan.items.size(), "rows"});
    profile::Surrounding around;
    around.overlap = settings_.overlap;
    around.limit = settings_.limit;
    around.any_board = settings_.any_board;
    around.hold_clock = [&](std::optional<Hertz> clock) { return bench.hold_clock(clock); };
    if (settings_.wait_idle) around.before_row = [&] { return wait_for_others(bench); };
    around.after_row = [&](const profile::Row& row) {
      progress->advance();
      if (row.subject.what == profile::Subject::What::network) networks_.push_back(row);
    };
    return run_plan(plan, bench.engine().facts().uuid, profiler, dataset, bench.clock(), around,
                    shell_.stop(), *session);
  }

  Result<> wait_for_others(TestBench& bench) {
    bool said = false;
    for (auto others = bench.strangers(); !others.empty(); others = bench.strangers()) {
      if (shell_.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
      if (!said) shell_.note(fmt::format("waiting for process {} to leave the GPU", fmt::join(others, ", ")));
      said = true;
      constexpr Seconds kGlance{0.5};
      shell_.clock().sleep_until(shell_.clock().now() + kGlance);
    }
    return {};
  }

  Json provenance(const TestBench& bench, const profile::Method& method) {
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
        {"training", "forward, backward from a random output gradient, gradients reset; no optimiser"},
        {"power", "mean of the readings within three standard deviations"},
        {"order", "random, by the seed"}};
    return json;
  }

  Result<int> tell(const profile::RunSummary& summary, TestBench& bench) {
    const bool simulated = bench.engine().facts().simulated;
    if (shell_.json) {
      Json body = {{"simulated", simulated}, {"folder", settings_.out}};
      body["device"] = bench.json();
      body.update(report::profile_json(summary, networks_));
      if (auto printed = shell_.print_document("ergon.profile/1", {}, body, simulated); !printed)
        return printed.error();
    } else {
      const std::string text =
          profile_text(summary, networks_, {settings_.device, settings_.out, simulated}, shell_.table_style());
      if (auto printed = shell_.print(text); !printed) return printed.error();
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
      .summary = "run operations and networks on a device and keep what they cost",
      .description = "Time, power and energy go into CSV files; docs/profile.md has the method.",
      .declare = declare,
      .children = {profile_validate_command(), profile_merge_command()},
  };
}

}  // namespace ergon::app
