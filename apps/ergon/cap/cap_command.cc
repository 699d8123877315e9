#include "cap/cap_command.h"

#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units_text.h"
#include "cap/cap_outside.h"
#include "cap/cap_settings.h"
#include "cap/cap_target.h"
#include "cap/cap_text.h"
#include "cap/decision_log.h"
#include "cap/reach.h"
#include "cap/real_time.h"
#include "cap/status_line.h"
#include "control/controllers/choice.h"
#include "report/cap_json.h"

namespace ergon::app {
namespace {

std::string knobs_text(const control::Knobs& knobs) {
  const auto& [batches, clocks] = knobs;
  std::string text = batches.size() == 1 ? fmt::format("batch {}", batches.front())
                                         : fmt::format("{} batches from {} to {}", batches.size(),
                                                       batches.front(), batches.back());
  if (clocks.empty()) return text + ", default clock";
  if (clocks.size() == 1) return text + fmt::format(" at {:.0f} MHz", clocks.front().si() / 1e6);
  return text + fmt::format(", {} clocks from {:.0f} to {:.0f} MHz", clocks.size(), clocks.front().si() / 1e6,
                            clocks.back().si() / 1e6);
}

std::string title_text(const CapSettings& settings, const CapTarget& target) {
  std::string text = target.description + "\n";
  text += fmt::format("controller {}, {}, {}", settings.controller, cap_text_of(settings),
                      to_text(settings.run_time()));
  if (settings.latency) text += fmt::format(", p99 latency <= {}", to_text(*settings.latency));
  if (settings.rate) text += fmt::format(", {:.4g} requests/s", *settings.rate);
  return text + fmt::format("\nsearch space: {}\n",
                            knobs_text(reach_of(settings.controller, target.plant->knobs())));
}

// Logs and displays decisions during the run, and collects caps that cannot be held.
class RunMonitor {
 public:
  RunMonitor(const CapSettings& settings, const CapTarget& target, std::optional<DecisionLog> log,
             Shell& shell)
      : target_(target),
        shell_(shell),
        live_(settings.cap_from_outside()),
        question_{settings.controller, target.plant->knobs(), settings.batch_latency()},
        log_(std::move(log)),
        status_(status_style(shell), shell.clock(), to_standard_error) {}

  void add(const control::Decision& decision) {
    if (log_ && logged_) logged_ = log_->add(decision);
    check_cap(decision.feedback.cap);
    status_.show(decision);
  }
  void end() { status_.clear(); }

  // Errors: the log could not be written.
  const Result<>& logged() const { return logged_; }
  // Caps that were not held, with the reason.
  std::vector<std::string> not_held(const control::CapRun& run) const {
    // A new cap must be met within two decisions.
    constexpr int kMaxDecisions = 2;
    std::vector<std::string> all = not_held_;
    all.insert(all.end(), run.refused.begin(), run.refused.end());
    for (const control::Compliance& cap : run.caps) {
      if (cap.took || cap.decisions <= kMaxDecisions || impossible_.contains(cap.cap)) continue;
      all.push_back(fmt::format("{} was not met in {} decisions", to_text(cap.cap), cap.decisions));
    }
    return all;
  }

 private:
  void check_cap(Watts cap) {
    if (!target_.truth || !checked_.insert(cap).second) return;
    const auto why = why_not_held(question_, *target_.truth, cap);
    if (!why) return;
    impossible_.insert(cap);
    not_held_.push_back(*why);
    if (!live_) return;
    status_.clear();
    shell_.note(*why);
  }

  const CapTarget& target_;
  Shell& shell_;
  bool live_;  // the cap can still be changed: report problems at once
  CapQuestion question_;
  std::optional<DecisionLog> log_;
  Result<> logged_;
  StatusLine status_;
  std::set<Watts> checked_, impossible_;
  std::vector<std::string> not_held_;
};

report::CapReport report_of(control::CapRun run, const CapSettings& settings, const CapTarget& target,
                            std::vector<std::string> not_held) {
  report::CapReport report{std::move(run), {}, {}, std::move(not_held)};
  report.summary = control::summary_of(report.run);
  // With open arrivals throughput is limited by the arrival rate, so there is no oracle.
  report.best_known = target.truth && !settings.rate;
  if (report.best_known) {
    const auto optimum =
        control::oracle(*target.truth, target.plant->knobs(), report.run.caps.back().cap, settings.latency);
    if (optimum.within_cap) report.best = optimum.best;
  }
  auto& remarks = report.run.remarks;
  remarks.insert(remarks.begin(), target.remarks.begin(), target.remarks.end());
  return report;
}

nlohmann::ordered_json body_of(const CapSettings& settings, const CapTarget& target,
                               const report::CapReport& report, bool interrupted) {
  nlohmann::ordered_json body{{"network", target.network},
                              {"device", nullptr},
                              {"precision", nullptr},
                              {"plant", target.kind},
                              {"simulated", target.plant->simulated()},
                              {"seed", settings.seed},
                              {"latency_bound_seconds", nullptr},
                              {"arrivals_per_second", nullptr},
                              {"interrupted", interrupted}};
  if (target.device) {
    body["device"] = *target.device;
    body["precision"] = settings.precision.name;
  }
  if (settings.latency) body["latency_bound_seconds"] = settings.latency->si();
  if (settings.rate) body["arrivals_per_second"] = *settings.rate;
  body.update(report::cap_json(report));
  return body;
}

Result<> print_report(const CapSettings& settings, const CapTarget& target, const report::CapReport& report,
                      Shell& shell) {
  if (!shell.json)
    return shell.print_report(cap_text(title_text(settings, target), report, shell.table_style()));
  auto inputs = target.files;
  for (const auto& file : {settings.schedule, settings.cap_file}) {
    if (file) inputs.push_back(*file);
  }
  return shell.print_document("ergon.cap/2", inputs,
                              body_of(settings, target, report, shell.stop().stop_requested()),
                              target.plant->simulated());
}

Result<control::CapRun> monitored_run(const CapSettings& settings, CapTarget& target, RunMonitor& monitor,
                                      Shell& shell) {
  auto controller = control::make_controller(
      {settings.controller, settings.batch_latency(), target.prior, target.max_power}, *target.plant);
  if (!controller) return controller.error();
  const auto caps = cap_for(settings, shell);
  if (!caps) return caps.error();
  auto run = control::run(*target.plant, **controller, **caps,
                          {.duration = settings.run_time(),
                           .stop = shell.stop(),
                           .on_decision = [&](const control::Decision& decision) { monitor.add(decision); }});
  monitor.end();
  return run;
}

Result<int> run_cap(const CapSettings& settings, Shell& shell) {
  if (const auto fine = settings.check_together(); !fine) {
    shell.error(fine.error().message);
    return kExitUsage;
  }
  auto target = open_target(settings, shell);
  if (!target) return target.error();
  if (settings.cap_from_outside() && !target->real_time)
    target->plant = std::make_unique<RealTimePlant>(std::move(target->plant), shell.clock(), shell.stop());
  std::optional<DecisionLog> log;
  if (settings.log) {
    auto created = DecisionLog::create(*settings.log);
    if (!created) return created.error();
    log.emplace(std::move(*created));
  }

  RunMonitor monitor(settings, *target, std::move(log), shell);
  auto run = monitored_run(settings, *target, monitor, shell);
  const auto restored = target->restore();
  if (!run) return run.error();
  if (!restored) return restored.error();
  if (!monitor.logged()) return monitor.logged().error();
  if (run->decisions.empty()) return fail(Errc::cancelled, "interrupted before the first decision");
  auto not_held = monitor.not_held(*run);
  const auto last = run->decisions.back().feedback.latency;
  if (settings.latency && last && *last > *settings.latency)
    not_held.push_back(fmt::format("the last batch took {}, above --max-latency {}", to_text(*last),
                                   to_text(*settings.latency)));
  const auto report = report_of(std::move(*run), settings, *target, std::move(not_held));
  if (const auto printed = print_report(settings, *target, report, shell); !printed) return printed.error();
  return report.not_held.empty() ? kExitDone : kExitClaimFailed;
}

}  // namespace

Command cap_command() {
  return {
      .name = "cap",
      .summary = "hold a power cap with batch and clock at the highest throughput",
      .description =
          "The network runs on a GPU of this machine, on a twin, or is replayed from a table. A twin differs "
          "slightly from the model that the controller starts with. With --cap-file or --cap-socket a "
          "simulation runs in real time, so that the cap can be changed; SIGHUP rereads the file.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<CapSettings>();
        settings->declare(options);
        return [settings](Shell& shell) { return run_cap(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
