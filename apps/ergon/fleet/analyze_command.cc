#include <algorithm>
#include <memory>

#include "fleet/analyze_settings.h"
#include "fleet/fleet_commands.h"
#include "fleet/task_file.h"

namespace ergon::app {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;

Result<int> analyze_fleet(const FleetAnalyzeSettings& settings, Shell& shell) {
  if (const auto checked = settings.check(); !checked) {
    shell.error(checked.error().message);
    return kExitUsage;
  }
  const auto inputs = settings.inputs(shell.clock().wall_now(), shell.stop());
  if (!inputs) return inputs.error();
  std::optional<fleet::TaskFile> task_file;
  if (settings.output.out) {
    auto made = fleet::TaskFile::create(*settings.output.out);
    if (!made) return made.error();
    task_file.emplace(std::move(*made));
  }

  fleet::IngestCallbacks callbacks;
  callbacks.stop = shell.stop();
  std::unique_ptr<Progress> progress;
  std::size_t shown = 0;
  callbacks.on_progress = [&](std::size_t done, std::size_t total) {
    if (!progress) progress = shell.progress({"reading", total / kMegabyte, "MB"});
    if (done / kMegabyte > shown) progress->advance(done / kMegabyte - shown);
    shown = std::max(shown, done / kMegabyte);
  };
  if (task_file) {
    callbacks.on_task = [&](const fleet::TaskRun& run) { return task_file->add(run); };
    callbacks.on_restart = [&] { return task_file->restart(); };
  }
  const auto ingested = fleet::read_fleet(*inputs, settings.rules(), callbacks);
  if (progress) progress->finish();
  if (!ingested) return ingested.error();
  if (task_file) {
    if (auto committed = task_file->commit(); !committed) return committed.error();
  }
  return settings.output.deliver(ingested->tally, settings.files(), ingested->warnings, shell);
}

}  // namespace

Command fleet_analyze_command() {
  return {
      .name = "analyze",
      .summary = "time, power and energy of events, with recommendations",
      .description =
          "Joins application events (START and STOP of tasks) with GPU samples. Power and utilization are "
          "integrated over each event; the nearest samples are shown for comparison. Files are CSV, plain or "
          "compressed (.gz, .xz, .zst). Columns are found by name; --map-* names others.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<FleetAnalyzeSettings>();
        settings->declare(options);
        return [settings](Shell& shell) { return analyze_fleet(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
