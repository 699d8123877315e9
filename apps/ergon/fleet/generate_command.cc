#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/prices.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/units_text.h"
#include "devices/device_options.h"
#include "fleet/fleet_commands.h"
#include "fleet/synthetic/generate.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

namespace synthetic = fleet::synthetic;
using GenerateJson = nlohmann::ordered_json;

constexpr double kMaxHours = synthetic::kMaxDuration.si() / kSecondsPerHour;

struct GenerateSettings {
  std::string out;
  DeviceSource device{.name = "v100s"};
  std::optional<Seconds> skew;
  synthetic::FleetPlan plan;
};

GenerateJson generated_json(const GenerateSettings& settings, const synthetic::GeneratedFleet& done) {
  const synthetic::FleetPlan& plan = settings.plan;
  GenerateJson files = GenerateJson::array();
  for (const synthetic::WrittenFile& file : done.files)
    files.push_back({{"name", file.name}, {"rows", file.rows}, {"bytes", file.bytes}});
  return {{"folder", settings.out},
          {"device", plan.device.name},
          {"seed", plan.seed},
          {"start", to_text(plan.start)},
          {"seconds", plan.duration.si()},
          {"hosts", plan.hosts},
          {"gpus_per_host", plan.gpus_per_host},
          {"tasks", done.tasks},
          {"slow_hosts", done.slow_hosts},
          {"doubled_hosts", done.doubled_hosts},
          {"two_logger_hosts", done.two_logger_hosts},
          {"skewed_hosts", done.skewed_hosts},
          {"skew_seconds", plan.skew.si()},
          {"loss", plan.loss},
          {"lost_checkpoints", done.lost_checkpoints},
          {"lost_samples", done.lost_samples},
          {"files", std::move(files)}};
}

std::string generated_text(const GenerateSettings& settings, const synthetic::GeneratedFleet& done,
                           const report::TableStyle& style) {
  const synthetic::FleetPlan& plan = settings.plan;
  using report::Align;
  report::TextTable files({{"file"}, {"rows", Align::right}, {"size", Align::right}});
  for (const synthetic::WrittenFile& file : done.files) {
    files.row({file.name, grouped_digits(static_cast<std::int64_t>(file.rows)), to_text(bytes(file.bytes))});
  }
  std::string text = fmt::format(
      "{}: simulated fleet, power and temperature from the twin {}\n"
      "{}, {} each: {} over {}, seed {}\n"
      "slow: {}; duplicate checkpoints: {}; two loggers: {}\n",
      settings.out, plan.device.name, counted(plan.hosts, "host"), counted(plan.gpus_per_host, "GPU"),
      counted(done.tasks, "task"), to_text(plan.duration), plan.seed, counted(done.slow_hosts, "host"),
      counted(done.doubled_hosts, "host"), counted(done.two_logger_hosts, "host"));
  if (plan.loss > 0) {
    text += fmt::format("lost rows: {} and {}\n", counted(done.lost_checkpoints, "checkpoint"),
                        counted(done.lost_samples, "sample"));
  }
  if (plan.skew > Seconds{0})
    text +=
        fmt::format("logger clocks {} ahead: {}\n", to_text(plan.skew), counted(done.skewed_hosts, "host"));
  return text + "\n" + files.text(style);
}

Result<int> generate_fleet(GenerateSettings& settings, Shell& shell) {
  auto gpu = settings.device.twin();
  if (!gpu) return gpu.error();
  synthetic::FleetPlan& plan = settings.plan;
  plan.device = std::move(*gpu);
  plan.skew = settings.skew.value_or(Seconds{0});

  const auto progress = shell.progress({"simulating", synthetic::minutes_of(plan), "min"});
  const auto done = synthetic::generate(plan, settings.out, {shell.stop(), [&] { progress->advance(); }});
  if (!done) return done.error();
  progress->finish();
  const auto printed =
      shell.json ? shell.print_document("ergon.fleet.generate/1", {}, generated_json(settings, *done), true)
                 : shell.print_report(generated_text(settings, *done, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

Action declare_generate(Options& options) {
  auto settings = std::make_shared<GenerateSettings>();
  synthetic::FleetPlan& plan = settings->plan;
  options.positive_count("--hosts", plan.hosts, synthetic::kMaxHosts, "number of hosts");
  options.require("--hosts");
  options.parsed(
      "--hours", "H", "duration of the fleet, in hours", [&plan](std::string_view text) -> Result<> {
        const auto hours = parse_double(text);
        if (!hours || !(*hours > 0) || *hours > kMaxHours)
          return fail(Errc::invalid_input, "\"{}\" is not a number above 0 and at most {}", text, kMaxHours);
        plan.duration = Seconds{*hours * kSecondsPerHour};
        return {};
      });
  options.require("--hours");
  options.text("--out", settings->out, "DIR",
               "folder for the three files; existing simulated files are replaced");
  options.require("--out");
  options.count("--seed", plan.seed, "random seed (default: 1)");
  options.text("--device", settings->device.name, "D",
               "twin from `ergon devices`, or FILE.json (default: v100s)");
  options.positive_count("--gpus-per-host", plan.gpus_per_host, synthetic::kMaxGpusPerHost,
                         "GPUs per host; all render the host's task (default: 1)");
  options.parsed("--start", "T", "start time (default: 2018-11-08T07:41:30Z)",
                 [&plan](std::string_view text) -> Result<> {
                   const auto start = parse_timestamp(text);
                   if (!start)
                     return fail(Errc::invalid_input, "\"{}\" is not a time (example: 2018-11-08T07:41:30Z)",
                                 text);
                   plan.start = *start;
                   return {};
                 });
  options.percentage("--loss", plan.loss, {.min = 0, .max = 0.99},
                     "share of checkpoints and samples that are lost (default: 0%)");
  options.quantity("--skew", settings->skew, "clock skew of the loggers on 1 % of the hosts (default: 0s)");
  return [settings](Shell& shell) { return generate_fleet(*settings, shell); };
}

}  // namespace

Command fleet_generate_command() {
  return {
      .name = "generate",
      .summary = "write logs of a simulated fleet",
      .description =
          "Writes application-checkpoints.csv, gpu.csv and task-x-y.csv, ordered by time, for `ergon fleet "
          "analyze`. Hosts render tiles; GPU power and temperature come from a twin. Durations, slow GPUs "
          "and "
          "duplicate rows follow a study of 1,024 GPUs in 2018. Job names begin with \"simulated\". Equal "
          "options give equal files, and a host is the same in a smaller and a larger fleet.",
      .declare = declare_generate,
      .children = {},
  };
}

}  // namespace ergon::app
