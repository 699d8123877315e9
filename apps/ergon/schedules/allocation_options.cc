#include "schedules/allocation_options.h"

#include <cmath>

#include <fmt/format.h>

#include "systolic/trace/schedule_cache.h"

namespace ergon::app {

void AllocationOptions::declare(Options& options, HardwareOptions::Applies applies) {
  layers.declare(options, LayerSource::Input::network_or_child);
  options.percentage("--slack", slack, {.min = 0, .max = 10},
                     applies == HardwareOptions::Applies::to_arrays
                         ? "allowed time beyond race to idle, for example 2% (default: 0%)"
                         : "allowed time beyond race to idle (default: 0%; GPUs: 2%)");
  hardware.declare(options, applies);
}

Result<AllocationOptions::Loaded> AllocationOptions::load(const Shell& shell) const {
  auto resolved = allocate::resolve(hardware.request);
  if (!resolved) return resolved.error();
  const auto found = layers.load();
  if (!found) return found.error();
  systolic::ScheduleCache cache;
  auto demands = allocate::demands_of(*found, resolved->hardware, cache, shell.stop());
  if (!demands) return demands.error();
  Loaded loaded{layers.name(), std::move(*resolved), std::move(*demands), layers.files()};
  loaded.files.insert(loaded.files.end(), loaded.hardware.files.begin(), loaded.hardware.files.end());
  return loaded;
}

std::string saving_text(double saving) {
  const double percent = 100 * saving;
  return fmt::format("{:.1f} %", std::abs(percent) < 0.05 ? 0 : percent);
}

std::string change_text(double change) {
  const double percent = 100 * change;
  if (std::abs(percent) < 0.005) return "+0.0 %";
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 0.05 ? 2 : 1);
}

}  // namespace ergon::app
