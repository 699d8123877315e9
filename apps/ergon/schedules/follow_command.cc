#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/runtime/book.h"
#include "allocate/runtime/follow.h"
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
  double taken = 0.5;
  std::uint64_t runs = 100, period = 20;
};

struct Outcome {
  Followed followed;
  Joules energy;
};

// The neighbour is away for so many networks' time, then there for as many, and so on.
SimulatedAccelerator::Neighbour neighbour(Seconds period, double left) {
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
  const schedule::File book = make_book(loaded->network, hardware, *schedule);
  const auto run = [&](bool corrected) -> Result<Outcome> {
    const Seconds period = schedule->simulated * static_cast<double>(settings.period);
    SimulatedAccelerator plant(hardware, loaded->demands, neighbour(period, 1 - settings.taken));
    const auto followed = follow(book, hardware, plant, settings.runs, corrected, shell.stop());
    if (!followed) return followed.error();
    return Outcome{*followed, plant.energy()};
  };
  const auto blind = run(false);
  if (!blind) return blind.error();
  const auto corrected = run(true);
  if (!corrected) return corrected.error();
  const double later = (corrected->followed.time / blind->followed.time).si() - 1,
               saved = 1 - (corrected->energy / blind->energy).si();
  if (shell.json) {
    const auto one = [](const Outcome& outcome) -> nlohmann::ordered_json {
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
                                   {"blind", one(*blind)},
                                   {"corrected", one(*corrected)},
                                   {"later", later},
                                   {"energy_saved", saved}};
    if (loaded->hardware.memory) body["memory"] = *loaded->hardware.memory;
    const auto printed = shell.print_document("ergon.allocate.follow/1", loaded->files, body, true);
    if (!printed) return printed.error();
    return kExitDone;
  }
  report::TextTable table({{"plan"},
                           {"time", Align::right},
                           {"later", Align::right},
                           {"energy", Align::right},
                           {"layers corrected", Align::right}});
  table.row({"followed blindly", to_text(blind->followed.time), "", "100.0%", "0"});
  table.row({"corrected after every layer", to_text(corrected->followed.time), change_text(later),
             fmt::format("{:.1f}%", 100 * (1 - saved)),
             fmt::format("{} of {}", corrected->followed.corrected, settings.runs * loaded->demands.size())});
  const auto printed = shell.print(fmt::format(
      "{} on {}, simulated\n{} times, while a neighbour takes {:g}% of the bandwidth for {} networks' time, "
      "leaves it for as long, and so on\n\n{}",
      loaded->network, loaded->hardware.text(), settings.runs, 100 * settings.taken, settings.period,
      table.text(shell.table_style())));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command allocate_follow_command() {
  return {
      .name = "follow",
      .summary = "run a plan while another program takes bandwidth, and correct it",
      .description =
          "On a simulated accelerator: the plan of optimal-split followed blindly, and corrected after every "
          "layer by its measured time.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<FollowSettings>();
        settings->source.declare(options);
        options.share("--taken", settings->taken, {.least = 0, .greatest = 0.9, .with_least = false},
                      "of the bandwidth by the neighbour (50%)");
        options.positive_count("--runs", settings->runs, 1'000'000, "of the network (100)");
        options.positive_count("--period", settings->period, 1'000'000,
                               "networks until the neighbour comes or goes (20)");
        return [settings](Shell& shell) { return follow_plan(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
