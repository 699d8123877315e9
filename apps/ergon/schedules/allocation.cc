#include "schedules/allocation.h"

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::app {
namespace {

Result<Ratio> parse_slack(std::string_view text) {
  const auto slack = parse_quantity<Ratio>(text, "--slack");
  if (!slack) return slack.error();
  if (slack->si() > 0 && slack->si() <= 10) return *slack;
  if (slack->si() == 0) {
    return fail(Errc::invalid_input,
                "no slack is what there is without --slack; give a share above 0%, such as 2%");
  }
  return fail(Errc::invalid_input,
              "--slack wants a share of race to idle's time above 0% and up to 1000%, not {:g}%",
              100 * slack->si());
}

}  // namespace

void AllocationSource::declare(Options& options) {
  layers.declare(options, LayerSource::Asks::network_or_child);
  options.parsed("--slack", "P", "time beyond race to idle's that may be spent, as 2%",
                 [this](std::string_view text) -> Result<> {
                   const auto parsed = parse_slack(text);
                   if (!parsed) return parsed.error();
                   slack = *parsed;
                   return {};
                 });
  hardware.declare(options);
}

Result<AllocationSource::Loaded> AllocationSource::load(const Shell& shell) const {
  auto resolved = hardware.resolve();
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

std::string saving_text(double saving) { return fmt::format("{:.1f} %", 100 * saving + 0.0); }

std::string change_text(double change) {
  return change < 5e-5 && change > -5e-5 ? "+0.0 %"
                                         : fmt::format("{:+.{}f} %", 100 * change, change < 5e-4 ? 2 : 1);
}

}  // namespace ergon::app
