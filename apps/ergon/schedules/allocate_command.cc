#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/runtime/schedule_writer.h"
#include "base/file.h"
#include "base/text.h"
#include "report/allocate_json.h"
#include "schedules/allocation.h"
#include "schedules/gpu_allocation.h"
#include "schedules/schedule_commands.h"
#include "schedules/schedule_text.h"

namespace ergon::app {
namespace {

using namespace allocate;

struct AllocateSettings {
  AllocationSource source;
  GpuSource gpu;
  std::optional<std::string> scheme;
  std::optional<std::string> out;
  std::optional<InapplicableOptions> array_options, gpu_options;
};

// Default slack on GPUs. Without slack nothing can be saved, because every clock affects every kernel.
constexpr double kDefaultGpuSlack = 0.02;

// Accepts schemes of arrays and of GPUs; the device is known only after all options are parsed.
Result<> check_scheme(std::string_view text) {
  if (gpu_scheme_of(text)) return {};
  const auto scheme = scheme_of(text);
  if (!scheme) return scheme.error();
  return {};
}

Result<int> allocate_gpu(const AllocateSettings& settings, Shell& shell) {
  if (const auto fine = settings.array_options->check("applies to systolic arrays, not to --device"); !fine)
    return fine.error();
  const auto scheme = gpu_scheme_of(settings.scheme.value_or("optimal"));
  if (!scheme) return scheme.error();
  const double slack = settings.source.slack > 0 ? settings.source.slack : kDefaultGpuSlack;
  return allocate_on_gpu({.network = settings.source.layers.network,
                          .gpu = settings.gpu,
                          .shown = *scheme,
                          .slack = slack,
                          .clock_step = settings.source.hardware.clock_step,
                          .switch_time = settings.source.hardware.switch_time},
                         shell);
}

// The optimal-split schedule in race to idle's time, if this schedule is slower than planned or saves
// nothing.
std::optional<Schedule> iso_latency(const Schedule& schedule, const AllocationSource::Loaded& loaded) {
  const bool slow = is_arada(schedule.scheme) && schedule.slowdown() > kNegligible;
  const bool useless = schedule.scheme == Scheme::optimal && schedule.energy_ratio > 1 - kNegligible;
  if (!slow && !useless) return std::nullopt;
  auto other = plan(loaded.demands, loaded.hardware.hardware, {.scheme = Scheme::optimal_split});
  if (!other || other->energy_ratio > 1 - kMinReported) return std::nullopt;
  return std::move(*other);
}

nlohmann::ordered_json document_of(const Schedule& schedule, const std::optional<Schedule>& other,
                                   const AllocationSource::Loaded& loaded) {
  nlohmann::ordered_json body = {{"network", loaded.network},
                                 {"accelerator", loaded.hardware.accelerator},
                                 {"memory", nullptr},
                                 {"hardware", report::hardware_json(loaded.hardware.hardware)}};
  if (loaded.hardware.memory) body["memory"] = *loaded.hardware.memory;
  body.update(report::schedule_summary_json(schedule));
  body["meets_planned_latency"] = schedule.slowdown() <= kNegligible;
  body["iso_latency"] = nullptr;
  if (other) body["iso_latency"] = report::schedule_summary_json(*other);
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const ScheduledLayer& layer : schedule.layers) {
    layers.push_back(report::scheduled_layer_json(layer, loaded.hardware.hardware));
  }
  body["layers"] = std::move(layers);
  return body;
}

Result<int> allocate_network(const AllocateSettings& settings, Shell& shell) {
  if (const auto fine = settings.gpu_options->check("applies to GPUs only; give --device"); !fine)
    return fine.error();
  const auto known = scheme_of(settings.scheme.value_or("optimal-split"));
  if (!known)
    return fail(Errc::invalid_input, "--scheme {} applies to GPUs only; give --device", *settings.scheme);
  const Scheme scheme = *known;
  if (settings.source.slack > 0 && !takes_slack(scheme)) {
    return fail(Errc::invalid_input,
                "--slack does not apply to {}; only to greedy, optimal and optimal-split", name_of(scheme));
  }
  const auto loaded = settings.source.load(shell);
  if (!loaded) return loaded.error();
  const Hardware& hardware = loaded->hardware.hardware;
  auto schedule = plan(loaded->demands, hardware, {.scheme = scheme, .slack = settings.source.slack});
  if (!schedule) return schedule.error();
  const auto certificate = certify(*schedule, loaded->demands, hardware);
  if (!certificate) return certificate.error();
  schedule->certificate = *certificate;
  const auto other = iso_latency(*schedule, *loaded);
  if (settings.out) {
    const auto written =
        write_file(*settings.out, to_text(make_schedule_file(loaded->network, hardware, *schedule)));
    if (!written) return written.error();
    shell.note(fmt::format("wrote {}", *settings.out));
  }
  if (shell.json) {
    const auto printed =
        shell.print_document("ergon.allocate/2", loaded->files, document_of(*schedule, other, *loaded), true);
    if (!printed) return printed.error();
    return kExitDone;
  }
  const auto printed = shell.print_report(schedule_text(*schedule, other, *loaded, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command allocate_command() {
  return {
      .name = "allocate",
      .summary = "choose a clock and a bandwidth for every layer",
      .description = "On a systolic array or a GPU (--device). docs/allocate.md has more.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<AllocateSettings>();
        options.parsed("--scheme", "NAME",
                       fmt::format("{}; GPUs: also one-clock (default: optimal-split; GPUs: optimal)",
                                   fmt::join(scheme_names(), ", ")),
                       [settings](std::string_view text) -> Result<> {
                         settings->scheme = std::string(text);
                         return check_scheme(text);
                       });
        settings->source.declare(options, HardwareSource::Help::common);
        options.text("--out", settings->out, "FILE", "write the schedule for a runtime");
        settings->gpu.declare(options);
        settings->array_options.emplace(
            options, std::vector<std::string>{"--accelerator", "--memory", "--bandwidth", "--clock",
                                              "--bandwidth-step", "--switch-power", "--stall-power",
                                              "--voltage", "--memory-energy", "--semantics", "--out"});
        settings->gpu_options.emplace(
            options, std::vector<std::string>{"--batch", "--mode", "--precision", "--power-limit"});
        return [settings](Shell& shell) {
          return settings->gpu.device ? allocate_gpu(*settings, shell) : allocate_network(*settings, shell);
        };
      },
      .children = {allocate_compare_command(), allocate_follow_command()},
  };
}

}  // namespace ergon::app
