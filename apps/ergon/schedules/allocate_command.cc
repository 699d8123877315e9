#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/gpu/gpu_allocation.h"
#include "allocate/plan.h"
#include "allocate/runtime/schedule_writer.h"
#include "base/file.h"
#include "report/allocate_json.h"
#include "report/gpu_schedule_json.h"
#include "schedules/allocation_options.h"
#include "schedules/gpu_options.h"
#include "schedules/gpu_text.h"
#include "schedules/schedule_commands.h"
#include "schedules/schedule_text.h"

namespace ergon::app {
namespace {

using namespace allocate;

// The schemes of arrays and of GPUs with a name; the device is known only after all options are parsed.
struct SchemeOption {
  std::optional<Scheme> array;
  std::optional<GpuScheme> gpu;

  Result<> parse(std::string_view text) {
    const auto gpu_scheme = gpu_scheme_of(text);
    const auto array_scheme = scheme_of(text);
    if (!gpu_scheme && !array_scheme) return array_scheme.error();
    gpu = gpu_scheme ? std::optional(*gpu_scheme) : std::nullopt;
    array = array_scheme ? std::optional(*array_scheme) : std::nullopt;
    return {};
  }

  Result<Scheme> for_array() const {
    if (array || !gpu) return array.value_or(Scheme::optimal_split);
    return fail(Errc::invalid_input, "--scheme {} applies to GPUs only; give --device", name_of(*gpu));
  }
  Result<GpuScheme> for_gpu() const {
    if (gpu || !array) return gpu.value_or(GpuScheme::optimal);
    return gpu_scheme_of(name_of(*array));
  }
};

struct AllocateSettings {
  AllocationOptions source;
  GpuOptions gpu;
  SchemeOption scheme;
  std::optional<std::string> out;
  std::optional<InapplicableOptions> array_options, gpu_options;
};

Result<int> allocate_on_gpu(const AllocateSettings& settings, Shell& shell) {
  if (const auto fine = settings.array_options->check("applies to systolic arrays, not to --device"); !fine)
    return fine.error();
  const auto scheme = settings.scheme.for_gpu();
  if (!scheme) return scheme.error();
  const NetworkSource& network = settings.source.layers.network;
  const HardwareRequest& hardware = settings.source.hardware.request;
  const auto work = settings.gpu.load(network, hardware.clock_step, hardware.switch_time);
  if (!work) return work.error();
  if (shell.json) note_warnings(work->warnings(), shell);
  const auto allocation = plan_all(*work, settings.source.slack.value_or(kDefaultGpuSlack));
  if (!allocation) return allocation.error();
  auto files = network.files();
  for (std::string& file : settings.gpu.files()) files.push_back(std::move(file));
  const auto printed = shell.print_result(
      "ergon.allocate.gpu/2", files, report::gpu_allocation_json(*work, *allocation, *scheme), true,
      [&] { return gpu_allocation_text(*work, *allocation, *scheme, shell.table_style()); });
  if (!printed) return printed.error();
  return kExitDone;
}

Result<int> allocate_on_array(const AllocateSettings& settings, Shell& shell) {
  if (const auto fine = settings.gpu_options->check("applies to GPUs only; give --device"); !fine)
    return fine.error();
  const auto scheme = settings.scheme.for_array();
  if (!scheme) return scheme.error();
  if (settings.source.slack && !takes_slack(*scheme)) {
    return fail(Errc::invalid_input,
                "--slack does not apply to {}; only to greedy, optimal and optimal-split", name_of(*scheme));
  }
  const auto loaded = settings.source.load(shell);
  if (!loaded) return loaded.error();
  const Hardware& hardware = loaded->hardware.hardware;
  const auto schedule = plan_certified(loaded->demands, hardware,
                                       {.scheme = *scheme, .slack = settings.source.slack.value_or(0)});
  if (!schedule) return schedule.error();
  const auto other = iso_latency(*schedule, loaded->demands, hardware);
  if (settings.out) {
    const auto written =
        write_file(*settings.out, to_text(make_schedule_file(loaded->network, hardware, *schedule)));
    if (!written) return written.error();
    shell.note(fmt::format("wrote {}", *settings.out));
  }
  const auto printed =
      shell.print_result("ergon.allocate/2", loaded->files,
                         report::allocation_json(loaded->network, loaded->hardware, *schedule, other), true,
                         [&] { return schedule_text(*schedule, other, *loaded, shell.table_style()); });
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
                       [settings](std::string_view text) { return settings->scheme.parse(text); });
        settings->source.declare(options, HardwareOptions::Applies::also_to_gpus);
        options.text("--out", settings->out, "FILE", "write the schedule for a runtime");
        settings->gpu.declare(options);
        std::vector<std::string> array_options = HardwareOptions::array_only();
        array_options.emplace_back("--out");
        const std::vector<std::string> gpu_options = {"--batch", "--mode", "--precision", "--power-limit"};
        options.section("Options for systolic arrays", array_options);
        options.section("Options for GPUs", gpu_options);
        settings->array_options.emplace(options, array_options);
        settings->gpu_options.emplace(options, gpu_options);
        return [settings](Shell& shell) {
          return settings->gpu.device ? allocate_on_gpu(*settings, shell)
                                      : allocate_on_array(*settings, shell);
        };
      },
      .children = {allocate_compare_command(), allocate_follow_command()},
  };
}

}  // namespace ergon::app
