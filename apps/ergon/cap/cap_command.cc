#include "cap/cap_command.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/units_text.h"
#include "cap/cap_outside.h"
#include "cap/cap_settings.h"
#include "cap/cap_target.h"
#include "cap/status_line.h"
#include "control/cap_check.h"
#include "control/decision_log.h"
#include "control/plants/real_time.h"
#include "report/cap_json.h"
#include "report/cap_text.h"

namespace ergon::app {
namespace {

std::string title_text(const CapSettings& settings, const control::Target& target) {
  std::string text = target.description + "\n";
  text += fmt::format("controller {}, {}, {}", name_of(settings.controller), cap_text_of(settings),
                      to_text(settings.run_time()));
  if (settings.latency) text += fmt::format(", p99 latency <= {}", to_text(*settings.latency));
  if (settings.rate) text += fmt::format(", {} requests/s", grouped_text(*settings.rate));
  return text + fmt::format("\nsearch space: {}\n",
                            text_of(control::reach_of(settings.controller, target.plant->knobs())));
}

// Logs and displays decisions during the run.
class RunMonitor {
 public:
  RunMonitor(const CapSettings& settings, const control::Target& target,
             std::optional<control::DecisionLog> log, Shell& shell)
      : shell_(shell),
        live_(settings.cap_from_outside()),
        check_({settings.controller, target.plant->knobs(), settings.target().batch_latency()}, target.truth),
        log_(std::move(log)),
        status_(status_style(shell), shell.clock(), [&shell](std::string_view text) { shell.show(text); }) {}

  void add(const control::Decision& decision) {
    if (log_ && logged_) logged_ = log_->add(decision);
    const auto why = check_.check(decision.feedback.cap);
    if (why && live_) {
      status_.clear();
      shell_.note(*why);
    }
    status_.show(decision);
  }
  void end() { status_.clear(); }

  // Errors: the log could not be written.
  const Result<>& logged() const { return logged_; }
  const control::CapCheck& check() const { return check_; }

 private:
  Shell& shell_;
  bool live_;  // the cap can still be changed: report problems at once
  control::CapCheck check_;
  std::optional<control::DecisionLog> log_;
  Result<> logged_;
  StatusLine status_;
};

nlohmann::ordered_json body_of(const CapSettings& settings, const CapTarget& opened,
                               const report::CapReport& report, bool interrupted) {
  const control::Target& target = opened.target;
  nlohmann::ordered_json body{{"network", target.network},
                              {"device", nullptr},
                              {"precision", nullptr},
                              {"plant", name_of(target.kind)},
                              {"simulated", target.plant->simulated()},
                              {"seed", settings.seed},
                              {"latency_bound_seconds", nullptr},
                              {"arrivals_per_second", nullptr},
                              {"interrupted", interrupted}};
  if (target.device) body["device"] = *target.device;
  if (opened.precision) body["precision"] = name_of(*opened.precision);
  if (settings.latency) body["latency_bound_seconds"] = settings.latency->si();
  if (settings.rate) body["arrivals_per_second"] = *settings.rate;
  body["warnings"] = opened.warnings;
  body.update(report::cap_json(report));
  return body;
}

Result<> print_report(const CapSettings& settings, const CapTarget& opened, const report::CapReport& report,
                      Shell& shell) {
  const control::Target& target = opened.target;
  auto inputs = opened.files;
  for (const auto& file : {settings.schedule, settings.cap_file}) {
    if (file) inputs.push_back(*file);
  }
  return shell.print_result(
      "ergon.cap/2", inputs, body_of(settings, opened, report, shell.stop().stop_requested()),
      target.plant->simulated(), [&] {
        std::string text = report::cap_text(title_text(settings, target), report, shell.table_style());
        for (const std::string& warning : opened.warnings) text += fmt::format("warning: {}\n", warning);
        return text;
      });
}

Result<control::CapRun> monitored_run(const CapSettings& settings, control::Target& target,
                                      RunMonitor& monitor, Shell& shell) {
  auto controller = control::make_controller(
      {settings.controller, settings.target().batch_latency(), target.prior, target.max_power},
      *target.plant);
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
  auto opened = open_target(settings, shell);
  if (!opened) return opened.error();
  control::Target& target = opened->target;
  if (settings.cap_from_outside() && target.kind != control::TargetKind::gpu)
    target.plant =
        std::make_unique<control::RealTimePlant>(std::move(target.plant), shell.clock(), shell.stop());
  std::optional<control::DecisionLog> log;
  if (settings.log) {
    auto created = control::DecisionLog::create(*settings.log);
    if (!created) return created.error();
    log.emplace(std::move(*created));
  }

  RunMonitor monitor(settings, target, std::move(log), shell);
  auto run = monitored_run(settings, target, monitor, shell);
  const auto restored = opened->restore();
  if (!run) return run.error();
  if (!restored) return restored.error();
  if (!monitor.logged()) return monitor.logged().error();
  if (run->decisions.empty()) return fail(Errc::cancelled, "interrupted before the first decision");
  auto not_held = monitor.check().not_held(*run, settings.latency);
  const auto report = report::cap_report(std::move(*run), target, settings.target(), std::move(not_held));
  if (const auto printed = print_report(settings, *opened, report, shell); !printed) return printed.error();
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
