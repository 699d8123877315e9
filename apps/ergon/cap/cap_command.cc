#include "cap/cap_command.h"

#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units_text.h"
#include "cap/cap_outside.h"
#include "cap/cap_settings.h"
#include "cap/cap_text.h"
#include "cap/decision_log.h"
#include "cap/plant_source.h"
#include "cap/reach.h"
#include "cap/real_time.h"
#include "cap/status_line.h"
#include "control/choice.h"
#include "report/cap_json.h"

namespace ergon::app {
namespace {

std::string knobs_text(const control::Knobs& knobs) {
  const auto& [batches, clocks] = knobs;
  std::string text = batches.size() == 1 ? fmt::format("batch {}", batches.front())
                                         : fmt::format("{} batches from {} to {}", batches.size(),
                                                       batches.front(), batches.back());
  if (clocks.empty()) return text + ", no clock";
  if (clocks.size() == 1) return text + fmt::format(" at {:.0f} MHz", clocks.front().si() / 1e6);
  return text + fmt::format(", {} clocks from {:.0f} to {:.0f} MHz", clocks.size(), clocks.front().si() / 1e6,
                            clocks.back().si() / 1e6);
}

std::string title_text(const CapSettings& settings, const Stage& stage) {
  std::string text = stage.what + "\n";
  text += fmt::format("{} holds {} for {}", settings.controller, cap_text_of(settings),
                      to_text(settings.lasting()));
  if (settings.latency) text += fmt::format(", in {} at the 99th percentile", to_text(*settings.latency));
  if (settings.rate) text += fmt::format("; {:.4g} requests come in a second", *settings.rate);
  return text + fmt::format("\nto choose from: {}\n",
                            knobs_text(reach_of(settings.controller, stage.plant->knobs())));
}

// Says what happens while it happens, and keeps it.
class Watch {
 public:
  Watch(const CapSettings& settings, const Stage& stage, std::optional<DecisionLog> log, Shell& shell)
      : stage_(stage),
        shell_(shell),
        live_(settings.cap_from_outside()),
        holding_{settings.controller, stage.plant->knobs(), settings.batch_latency()},
        log_(std::move(log)),
        status_(status_style(shell), shell.clock(), to_standard_error) {}

  void see(const control::Decision& decision) {
    if (log_ && logged_) logged_ = log_->add(decision);
    judge(decision.reading.cap);
    status_.show(decision);
  }
  void end() { status_.clear(); }

  // Errors: what kept decisions from being written.
  const Result<>& logged() const { return logged_; }
  // Caps that were not held, and why.
  std::vector<std::string> unheld(const control::Run& run) const {
    // A new cap has two decisions to be met.
    constexpr int kInTime = 2;
    std::vector<std::string> all = unheld_;
    all.insert(all.end(), run.refused.begin(), run.refused.end());
    for (const control::Compliance& cap : run.caps) {
      if (cap.took || cap.decisions <= kInTime || hopeless_.contains(cap.cap)) continue;
      all.push_back(fmt::format("{} was not met in {} decisions", to_text(cap.cap), cap.decisions));
    }
    return all;
  }

 private:
  void judge(Watts cap) {
    if (!stage_.truth || !judged_.insert(cap).second) return;
    const auto why = why_not_held(holding_, *stage_.truth, cap);
    if (!why) return;
    hopeless_.insert(cap);
    unheld_.push_back(*why);
    if (!live_) return;
    status_.clear();
    shell_.note(*why);
  }

  const Stage& stage_;
  Shell& shell_;
  bool live_;  // somebody is there who can still change it
  Holding holding_;
  std::optional<DecisionLog> log_;
  Result<> logged_;
  StatusLine status_;
  std::set<Watts> judged_, hopeless_;
  std::vector<std::string> unheld_;
};

report::CapReport report_of(control::Run run, const CapSettings& settings, const Stage& stage,
                            std::vector<std::string> unheld) {
  report::CapReport report{std::move(run), {}, {}, std::move(unheld)};
  report.summary = control::summary_of(report.run);
  // With requests that come by themselves nobody can do more than answer them.
  report.best_known = stage.truth && !settings.rate;
  if (report.best_known) {
    const auto verdict =
        control::oracle(*stage.truth, stage.plant->knobs(), report.run.caps.back().cap, settings.latency);
    if (verdict.met) report.best = verdict.best;
  }
  auto& remarks = report.run.remarks;
  remarks.insert(remarks.begin(), stage.remarks.begin(), stage.remarks.end());
  return report;
}

nlohmann::ordered_json body_of(const CapSettings& settings, const Stage& stage,
                               const report::CapReport& report, bool interrupted) {
  nlohmann::ordered_json body{{"network", stage.network},
                              {"device", nullptr},
                              {"precision", nullptr},
                              {"plant", stage.kind},
                              {"simulated", stage.plant->simulated()},
                              {"seed", settings.seed},
                              {"latency_bound_seconds", nullptr},
                              {"arrivals_per_second", nullptr},
                              {"interrupted", interrupted}};
  if (stage.device) {
    body["device"] = *stage.device;
    body["precision"] = settings.precision.name;
  }
  if (settings.latency) body["latency_bound_seconds"] = settings.latency->si();
  if (settings.rate) body["arrivals_per_second"] = *settings.rate;
  body.update(report::cap_json(report));
  return body;
}

Result<> print_report(const CapSettings& settings, const Stage& stage, const report::CapReport& report,
                      Shell& shell) {
  if (!shell.json) return shell.print(cap_text(title_text(settings, stage), report, shell.table_style()));
  auto inputs = stage.files;
  for (const auto& file : {settings.schedule, settings.cap_file}) {
    if (file) inputs.push_back(*file);
  }
  return shell.print_document("ergon.cap/1", inputs,
                              body_of(settings, stage, report, shell.stop().stop_requested()),
                              stage.plant->simulated());
}

Result<control::Run> watched_run(const CapSettings& settings, Stage& stage, Watch& watch, Shell& shell) {
  auto controller = control::make_controller(
      {settings.controller, settings.batch_latency(), stage.believed, stage.most}, *stage.plant);
  if (!controller) return controller.error();
  const auto caps = cap_for(settings, shell);
  if (!caps) return caps.error();
  auto run = control::run(*stage.plant, **controller, **caps,
                          {.duration = settings.lasting(),
                           .stop = shell.stop(),
                           .watch = [&](const control::Decision& decision) { watch.see(decision); }});
  watch.end();
  return run;
}

Result<int> run_cap(const CapSettings& settings, Shell& shell) {
  if (const auto fine = settings.check_together(); !fine) {
    shell.error(fine.error().message);
    return kExitUsage;
  }
  auto stage = stage_for(settings, shell);
  if (!stage) return stage.error();
  if (settings.cap_from_outside() && !stage->in_our_time)
    stage->plant = std::make_unique<RealTimePlant>(std::move(stage->plant), shell.clock(), shell.stop());
  std::optional<DecisionLog> log;
  if (settings.log) {
    auto created = DecisionLog::create(*settings.log);
    if (!created) return created.error();
    log.emplace(std::move(*created));
  }

  Watch watch(settings, *stage, std::move(log), shell);
  auto run = watched_run(settings, *stage, watch, shell);
  const auto restored = stage->put_back();
  if (!run) return run.error();
  if (!restored) return restored.error();
  if (!watch.logged()) return watch.logged().error();
  if (run->decisions.empty()) return fail(Errc::cancelled, "interrupted before the first decision");
  auto unheld = watch.unheld(*run);
  const auto late = run->decisions.back().reading.latency;
  if (settings.latency && late && *late > *settings.latency)
    unheld.push_back(
        fmt::format("a batch took {} at the end, not {}", to_text(*late), to_text(*settings.latency)));
  const auto report = report_of(std::move(*run), settings, *stage, std::move(unheld));
  if (const auto printed = print_report(settings, *stage, report, shell); !printed) return printed.error();
  return report.unheld.empty() ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command cap_command() {
  return {
      .name = "cap",
      .summary = "hold a power cap by batch and clock, at the highest throughput",
      .description =
          "The network runs on a GPU of this machine, on a twin that is not quite the one its controller "
          "believes in, or as a table has it. With --cap-file and --cap-socket time passes as ours does, so "
          "that caps can be written meanwhile; SIGHUP has the file read again.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<CapSettings>();
        settings->declare(options);
        return [settings](Shell& shell) { return run_cap(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
