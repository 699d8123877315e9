#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/plan.h"
#include "allocate/runtime/follow_comparison.h"
#include "base/units_text.h"
#include "report/allocate_json.h"
#include "report/text_table.h"
#include "schedules/allocation_options.h"
#include "schedules/schedule_commands.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

struct FollowSettings {
  AllocationOptions source;
  NeighborScenario scenario;
};

std::string follow_text(const AllocationOptions::Loaded& loaded, const NeighborScenario& scenario,
                        const FollowComparison& followed, const report::TableStyle& style) {
  const FollowResult &uncorrected = followed.uncorrected.followed, &corrected = followed.corrected.followed;
  report::TextTable table({{"plan"},
                           {"time", Align::right},
                           {"slowdown", Align::right},
                           {"energy", Align::right},
                           {"layers corrected", Align::right, 1}});
  table.row({"uncorrected", to_text(uncorrected.time), "", "100.0 %", "0"});
  table.row({"corrected after every layer", to_text(corrected.time), change_text(followed.slowdown()),
             fmt::format("{:.1f} %", 100 * (1 - followed.energy_saved())),
             fmt::format("{} of {}", corrected.corrected, scenario.runs * loaded.demands.size())});
  return fmt::format(
      "{} (simulated)\n{}\n{} runs; another program uses {:g} % of the bandwidth in every other period\n"
      "of {} runs\n\n{}",
      loaded.network, loaded.hardware.text(), scenario.runs, 100 * scenario.taken, scenario.period,
      table.text(style));
}

Result<int> follow_plan(const FollowSettings& settings, Shell& shell) {
  const auto loaded = settings.source.load(shell);
  if (!loaded) return loaded.error();
  const Hardware& hardware = loaded->hardware.hardware;
  const double slack = settings.source.slack.value_or(0);
  const NeighborScenario& scenario = settings.scenario;
  const auto schedule = plan(loaded->demands, hardware, {.scheme = Scheme::optimal_split, .slack = slack});
  if (!schedule) return schedule.error();
  const auto followed =
      compare_following(loaded->network, *schedule, loaded->demands, hardware, scenario, shell.stop());
  if (!followed) return followed.error();
  const auto printed = shell.print_result(
      "ergon.allocate.follow/2", loaded->files,
      report::follow_json(loaded->network, loaded->hardware, slack, scenario, *followed), true,
      [&] { return follow_text(*loaded, scenario, *followed, shell.table_style()); });
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command allocate_follow_command() {
  return {
      .name = "follow",
      .summary = "run a schedule while another program uses bandwidth",
      .description =
          "Simulates the optimal-split schedule twice: uncorrected, and corrected after every layer by its "
          "measured time.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<FollowSettings>();
        settings->source.declare(options);
        options.percentage("--taken", settings->scenario.taken, {.min = 0, .max = 0.9, .includes_min = false},
                           "bandwidth share used by the other program (default: 50%)");
        options.positive_count("--runs", settings->scenario.runs, 1'000'000,
                               "runs of the network (default: 100)");
        options.positive_count("--period", settings->scenario.period, 1'000'000,
                               "runs between changes of the other program (default: 20)");
        return [settings](Shell& shell) { return follow_plan(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
