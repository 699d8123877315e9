#include <memory>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "fleet/analyze_settings.h"
#include "fleet/fleet_commands.h"
#include "fleet/synthetic/identity.h"
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
  std::optional<TaskFile> task_file;
  if (settings.output.out) {
    auto made = TaskFile::create(*settings.output.out);
    if (!made) return made.error();
    task_file.emplace(std::move(*made));
  }

  fleet::Watch watch;
  watch.stop = shell.stop();
  std::unique_ptr<Progress> progress;
  std::size_t shown = 0;
  watch.on_progress = [&](std::size_t done, std::size_t total) {
    if (!progress) progress = shell.progress({"reading", total / kMegabyte, "MB"});
    if (done / kMegabyte > shown) progress->advance(done / kMegabyte - shown);
    shown = std::max(shown, done / kMegabyte);
  };
  if (task_file) {
    watch.on_task = [&](const fleet::TaskRun& run) { return task_file->add(run); };
    watch.on_restart = [&] { return task_file->restart(); };
  }
  auto reading = fleet::read_fleet(*inputs, settings.rules(), watch);
  if (progress) progress->finish();
  if (!reading) return reading.error();
  if (task_file) {
    if (auto committed = task_file->commit(); !committed) return committed.error();
  }
  for (const std::string& job : reading->tally.jobs)
    reading->tally.simulated = reading->tally.simulated || job.starts_with(fleet::synthetic::kJobMark);
  return settings.output.deliver(reading->tally, settings.files(), reading->remarks, shell);
}

}  // namespace

Command fleet_analyze_command() {
  return {
      .name = "analyze",
      .summary = "events and samples joined: time, power, energy, and what to mend",
      .description =
          "Files are CSV, plain or compressed (.gz, .xz, .zst), their columns found by name or by --map-... "
          ". Power and "
          "utilisation are integrated over every event; the nearest sample's are shown beside them.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<FleetAnalyzeSettings>();
        settings->declare(options);
        return [settings](Shell& shell) { return analyze_fleet(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
