#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "device/machine/machine.h"
#include "measure/child.h"
#include "measure/control_options.h"
#include "measure/measure_commands.h"
#include "meter/grouped.h"
#include "meter/trace_csv.h"
#include "option_parsers.h"
#include "report/measure_json.h"
#include "report/measure_text.h"
#include "report/sanity.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr Seconds kIdleTime{2};

struct Settings {
  std::vector<std::string> devices, command;
  std::optional<Seconds> period;
  bool idle_subtract = false;
  std::optional<std::string> trace, out;
  ControlOptions control;
};

Json json_of(const Settings& settings, const meter::GroupedMeasurement& outcome, const Ending& ending,
             Json controls) {
  Json body = {{"simulated", outcome.selected.total.simulated},
               {"command", settings.command},
               {"exit_code", ending.exit_code},
               {"signal", ending.signal != 0 ? Json(ending.signal) : Json(nullptr)}};
  body.update(report::group_json(outcome.selected));
  body["processors"] = outcome.processors ? report::group_json(*outcome.processors) : Json(nullptr);
  body["controls"] = std::move(controls);
  return body;
}

Result<std::string> text_of(const Shell& shell, const Settings& settings,
                            const meter::GroupedMeasurement& outcome, const Ending& ending, Json controls) {
  const Json body = json_of(settings, outcome, ending, std::move(controls));
  if (shell.json) return shell.document("ergon.measure/2", {}, body, outcome.selected.total.simulated);
  if (auto fine = report::check_sanity(body); !fine) return fine.error();
  return report::measurement_text(outcome, settings.out ? report::TableStyle{} : shell.table_style());
}

// Exit codes of a shell for commands that could not be started.
int exit_code_of(const Error& error) {
  if (error.kind == Errc::not_found) return kExitNoCommand;
  return error.kind == Errc::permission ? kExitNotExecutable : kExitFailed;
}

Result<> write_all(AtomicFile& file, std::string_view text) {
  if (auto written = file.write(text); !written) return written;
  return file.commit();
}

class Run {
 public:
  Run(Shell& shell, const Settings& settings) : shell_(shell), settings_(settings) {}

  Result<int> operator()() {
    if (auto permitted = settings_.control.check(); !permitted) return permitted.error();
    const device::Machine machine = device::Machine::open(shell_.notify());
    auto devices = machine.select(settings_.devices);
    if (!devices) return devices.error();
    const std::size_t selected_count = devices->size();
    if (settings_.devices.empty() && !(*devices)[0]->capabilities().power.empty()) {
      for (device::Device* processor : machine.processors()) devices->push_back(processor);
    }
    if (settings_.out) {
      auto created = AtomicFile::create(*settings_.out);
      if (!created) return created.error();
      report_.emplace(std::move(*created));
    }
    std::optional<AtomicFile> trace;
    if (settings_.trace) {
      auto created = AtomicFile::create(*settings_.trace);
      if (!created) return created.error();
      trace.emplace(std::move(*created));
    }
    auto held = settings_.control.hold(*devices);
    if (!held) return held.error();
    auto meter = meter::Meter::start(*devices, shell_.clock(), {settings_.period, true}, shell_.stop());
    if (!meter) return meter.error();

    std::optional<std::vector<meter::SpanReport>> idle;
    if (settings_.idle_subtract) {
      auto before = meter::reports_over(**meter, kIdleTime, shell_.clock(), shell_.stop());
      if (!before) return before.error();
      idle = std::move(*before);
    }
    if (shell_.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
    return measure(**meter, *held, selected_count, idle, trace);
  }

 private:
  Result<int> measure(meter::Meter& meter, device::HeldDevices& held, std::size_t selected_count,
                      const std::optional<std::vector<meter::SpanReport>>& idle,
                      std::optional<AtomicFile>& trace) {
    const Instant begin = shell_.clock().now();
    meter::Window window = meter.open();
    auto child = Child::start(settings_.command, shell_.json && !report_);
    if (!child) {
      shell_.error(child.error().message);
      if (auto restored = held.release(shell_.notify()); !restored) return restored.error();
      return exit_code_of(child.error());
    }
    const Ending ending = child->wait(shell_.clock(), shell_.stop(), [&] { window.close(); });
    if (ending.signal != 0)
      shell_.note(fmt::format("the command was terminated by signal {}", ending.signal));
    const Json controls = report::controls_json(held.changes());
    const auto restored = held.release(shell_.notify());

    auto reports = window.reports();
    Result<> printed =
        reports ? print(meter::grouped(*reports, selected_count, idle), ending, controls) : reports.error();
    if (trace && reports) {
      if (auto written = write_all(*trace, meter::trace_csv(meter, begin)); !written && printed)
        printed = written.error();
    }
    if (!restored) return restored.error();
    if (!printed && ending.exit_code == 0) return printed.error();
    if (!printed && !printed.error().message.empty()) shell_.error(printed.error().message);
    return ending.exit_code;
  }

  // Prints the measurement, and returns the failure of a device that was lost meanwhile.
  Result<> print(const meter::GroupedMeasurement& outcome, const Ending& ending, Json controls) {
    const auto text = text_of(shell_, settings_, outcome, ending, std::move(controls));
    if (!text) return text.error();
    const bool as_text = !report_ && !shell_.json;
    if (auto written = as_text ? shell_.print_report(*text) : written_document(*text); !written)
      return written;
    if (report_) {
      if (auto done = report_->commit(); !done) return done;
    }
    for (const meter::DeviceMeasurement& source : outcome.selected.total.sources) {
      if (source.report.failure) return *source.report.failure;
    }
    return {};
  }

  Result<> written_document(const std::string& text) {
    if (!report_) return shell_.deliver(text);
    if (shell_.html_requested()) {
      if (auto drawn = shell_.deliver(text); !drawn) return drawn;
    }
    return report_->write(text);
  }

  Shell& shell_;
  const Settings& settings_;
  std::optional<AtomicFile> report_;
};

Action declare(Options& options) {
  auto settings = std::make_shared<Settings>();
  options.arguments("CMD", settings->command, "the command and its arguments, after --");
  options.list("--device", settings->devices, "D,...",
               "GPUs or processors by id, number or UUID (default: all GPUs and processors)");
  options.positive_quantity("--period", settings->period,
                            "time between readings, for example 20ms (default: by sensor)");
  options.flag("--idle-subtract", settings->idle_subtract,
               "subtract idle power, measured for 2 s before the command");
  options.parsed("--trace", "FILE", "write all power readings to this CSV file",
                 taking_table_file(settings->trace));
  options.text("--out", settings->out, "FILE", "write the report to this file (default: standard output)");
  settings->control.declare(options);
  return [settings](Shell& shell) { return Run(shell, *settings)(); };
}

}  // namespace

Command measure_command() {
  return {
      .name = "measure",
      .summary = "measure the energy of a command, with its uncertainty",
      .description =
          "Runs CMD and measures the energy of GPUs and processors meanwhile. The exit code is that of "
          "CMD. With --json, the output of CMD goes to standard error.",
      .declare = declare,
  };
}

}  // namespace ergon::app
