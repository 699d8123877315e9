#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/runtime/follow.h"
#include "allocate/runtime/schedule_writer.h"
#include "allocate/runtime/simulated_accelerator.h"
#include "base/units_text.h"
#include "report/allocate_json.h"
#include "report/text_table.h"
#include "schedules/allocation.h"
#include "schedules/schedule_commands.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

struct FollowSettings {
  AllocationSource source;
  double taken = 0.5;  // share of the bandwidth that the neighbor uses
  std::uint64_t runs = 100, period = 20;
};

struct FollowOutcome {
  FollowResult followed;
  Joules energy;
};

// The neighbor alternates: one period without traffic, one period with.
SimulatedAccelerator::Neighbor neighbor(Seconds period, double left) {
  return [=](Seconds now) {
    auto past = static_cast<std::uint64_t>((now / period).si());
    const auto end = [&] { return period * static_cast<double>(past + 1); };
    while (end() <= now) ++past;  // a quotient may be rounded down
    return SimulatedAccelerator::Phase{past % 2 == 0 ? 1.0 : left, end()};
  };
}

Result<int> follow_plan(const FollowSettings& settings, Shell& shell) {
  const auto loaded = settings.source.load(shell);
  if (!loaded) return loaded.error();
  const Hardware& hardware = loaded->hardware.hardware;
  const auto schedule =
      plan(loaded->demands, hardware, {.scheme = Scheme::optimal_split, .slack = settings.source.slack});
  if (!schedule) return schedule.error();
  const schedule::File file = make_schedule_file(loaded->network, hardware, *schedule);
  const auto run = [&](bool corrected) -> Result<FollowOutcome> {
    const Seconds period = schedule->simulated * static_cast<double>(settings.period);
    SimulatedAccelerator accelerator(hardware, loaded->demands, neighbor(period, 1 - settings.taken));
    const auto followed = follow(file, hardware, accelerator, settings.runs, corrected, shell.stop());
    if (!followed) return followed.error();
    return FollowOutcome{*followed, accelerator.energy()};
  };
  const auto uncorrected = run(false);
  if (!uncorrected) return uncorrected.error();
  const auto corrected = run(true);
  if (!corrected) return corrected.error();
  const double slowdown = (corrected->followed.time / uncorrected->followed.time).si() - 1,
               saved = 1 - (corrected->energy / uncorrected->energy).si();
  if (shell.json) {
    const auto one = [](const FollowOutcome& outcome) -> nlohmann::ordered_json {
      return {{"seconds", outcome.followed.time.si()},
              {"energy_joules", outcome.energy.si()},
              {"corrected_layers", outcome.followed.corrected}};
    };
    nlohmann::ordered_json body = {{"network", loaded->network},
                                   {"accelerator", loaded->hardware.accelerator},
                                   {"memory", nullptr},
                                   {"hardware", report::hardware_json(hardware)},
                                   {"slack", settings.source.slack},
                                   {"runs", settings.runs},
                                   {"period_networks", settings.period},
                                   {"bandwidth_taken", settings.taken},
                                   {"uncorrected", one(*uncorrected)},
                                   {"corrected", one(*corrected)},
                                   {"slowdown", slowdown},
                                   {"energy_saved", saved}};
    if (loaded->hardware.memory) body["memory"] = *loaded->hardware.memory;
    const auto printed = shell.print_document("ergon.allocate.follow/2", loaded->files, body, true);
    if (!printed) return printed.error();
    return kExitDone;
  }
  report::TextTable table({{"plan"},
                           {"time", Align::right},
                           {"slowdown", Align::right},
                           {"energy", Align::right},
                           {"layers corrected", Align::right, 1}});
  table.row({"uncorrected", to_text(uncorrected->followed.time), "", "100.0 %", "0"});
  table.row({"corrected after every layer", to_text(corrected->followed.time), change_text(slowdown),
             fmt::format("{:.1f} %", 100 * (1 - saved)),
             fmt::format("{} of {}", corrected->followed.corrected, settings.runs * loaded->demands.size())});
  const auto printed = shell.print_report(fmt::format(
      "{} (simulated)\n{}\n{} runs; another program uses {:g} % of the bandwidth in every other period\n"
      "of {} runs\n\n{}",
      loaded->network, loaded->hardware.text(), settings.runs, 100 * settings.taken, settings.period,
      table.text(shell.table_style())));
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
        options.percentage("--taken", settings->taken, {.min = 0, .max = 0.9, .includes_min = false},
                           "bandwidth share used by the other program (default: 50%)");
        options.positive_count("--runs", settings->runs, 1'000'000, "runs of the network (default: 100)");
        options.positive_count("--period", settings->period, 1'000'000,
                               "runs between changes of the other program (default: 20)");
        return [settings](Shell& shell) { return follow_plan(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
