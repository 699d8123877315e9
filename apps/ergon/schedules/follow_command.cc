#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/runtime/book.h"
#include "allocate/runtime/follow.h"
#include "base/units_text.h"
#include "report/allocate_json.h"
#include "report/text_table.h"
#include "schedules/allocation.h"
#include "schedules/schedule_commands.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

struct Settings {
  AllocationSource source;
  std::optional<Ratio> taken;
  std::uint64_t runs = 100, period = 20;
};

// The neighbour is away for so many networks' time, then there for as many, and so on.
SimulatedAccelerator::Neighbour neighbour(Seconds period, double left) {
  return [=](Seconds now) {
    const auto past = static_cast<std::uint64_t>((now / period).si());
    return SimulatedAccelerator::Phase{past % 2 == 0 ? 1.0 : left, period * static_cast<double>(past + 1)};
  };
}

Result<int> follow_plan(const Settings& settings, Shell& shell) {
  const double taken = settings.taken ? settings.taken->si() : 0.5;
  if (!(taken > 0 && taken <= 0.9)) {
    return fail(Errc::invalid_input,
                "--taken wants a share of the bandwidth above 0% and up to 90%, not {:g}%", 100 * taken);
  }
  if (settings.runs == 0 || settings.period == 0)
    return fail(Errc::invalid_input, "--runs and --period want at least 1");
  const auto loaded = settings.source.load(shell);
  if (!loaded) return loaded.error();
  const Hardware& hardware = loaded->hardware.hardware;
  const auto schedule = plan(loaded->demands, hardware,
                             {.scheme = Scheme::optimal_split, .slack = settings.source.slack_share()});
  if (!schedule) return schedule.error();
  const schedule::File book = make_book(loaded->network, hardware, *schedule);
  const auto run = [&](bool corrected) {
    const Seconds period = schedule->simulated * static_cast<double>(settings.period);
    SimulatedAccelerator plant(hardware, loaded->demands, neighbour(period, 1 - taken));
    return follow(book, hardware, plant, settings.runs, corrected);
  };
  const Followed blind = run(false), corrected = run(true);
  const double later = (corrected.time / blind.time).si() - 1,
               saved = 1 - (corrected.energy / blind.energy).si();
  if (shell.json) {
    const auto one = [&](const Followed& followed) -> nlohmann::ordered_json {
      return {{"seconds", followed.time.si()},
              {"array_joules", followed.energy.si()},
              {"corrected_layers", followed.corrected}};
    };
    const nlohmann::ordered_json body = {{"network", loaded->network},
                                         {"accelerator", loaded->hardware.accelerator},
                                         {"hardware", report::hardware_json(hardware)},
                                         {"runs", settings.runs},
                                         {"period_networks", settings.period},
                                         {"bandwidth_taken", taken},
                                         {"blind", one(blind)},
                                         {"corrected", one(corrected)},
                                         {"later", later},
                                         {"energy_saved", saved}};
    const auto printed = shell.print_document("ergon.allocate.follow/1", loaded->files, body, true);
    if (!printed) return printed.error();
    return kExitDone;
  }
  report::TextTable table({{"plan"},
                           {"time", Align::right},
                           {"later", Align::right},
                           {"energy", Align::right},
                           {"layers corrected", Align::right}});
  table.row({"followed blindly", to_text(blind.time), "", "100.0%", "0"});
  table.row({"corrected after every layer", to_text(corrected.time), change_text(later),
             fmt::format("{:.1f}%", 100 * (1 - saved)),
             fmt::format("{} of {}", corrected.corrected, settings.runs * loaded->demands.size())});
  const auto printed = shell.print(fmt::format(
      "{} on {}, simulated\n{} times, while a neighbour takes {:g}% of the bandwidth for {} networks' time, "
      "leaves it for as long, and so on\n\n{}",
      loaded->network, loaded->hardware.text(), settings.runs, 100 * taken, settings.period,
      table.text(shell.colour())));
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
        auto settings = std::make_shared<Settings>();
        settings->source.declare(options);
        options.quantity("--taken", settings->taken, "of the bandwidth by the neighbour (50%)");
        options.count("--runs", settings->runs, "of the network");
        options.count("--period", settings->period, "networks until the neighbour comes or goes");
        return [settings](Shell& shell) { return follow_plan(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
