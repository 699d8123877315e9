#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "allocate/plan.h"
#include "base/units_text.h"
#include "report/allocate_json.h"
#include "report/text_table.h"
#include "schedules/allocation_options.h"
#include "schedules/schedule_commands.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

std::string schedules_text(const std::vector<Schedule>& schedules, const report::TableStyle& style) {
  report::TextTable table({{"scheme"},
                           {"energy saved", Align::right},
                           {"mean of layers", Align::right, 4},
                           {"by eq. 6", Align::right, 5},
                           {"bandwidth saved", Align::right, 3},
                           {"planned", Align::right, 1},
                           {"simulated", Align::right},
                           {"slowdown", Align::right},
                           {"switches", Align::right, 2},
                           {"optimum", Align::right}});
  for (const Schedule& s : schedules) {
    table.row(
        {std::string(name_of(s.scheme)), saving_text(1 - s.energy_ratio), saving_text(s.by_work.layer_mean),
         is_arada(s.scheme) ? saving_text(s.as_printed.layer_mean) : "-", saving_text(s.bandwidth_reduction),
         to_text(s.planned), to_text(s.simulated), change_text(s.slowdown_to_race_to_idle()),
         fmt::format("{}", s.switches), s.certificate ? saving_text(1 - s.certificate->lower_bound) : "-"});
  }
  return table.text(style);
}

Result<int> compare(const AllocationOptions& source, Shell& shell) {
  const auto loaded = source.load(shell);
  if (!loaded) return loaded.error();
  const Hardware& hardware = loaded->hardware.hardware;
  std::vector<Schedule> schedules;
  for (const Scheme scheme : all_schemes()) {
    auto schedule =
        plan_certified(loaded->demands, hardware, {.scheme = scheme, .slack = source.slack.value_or(0)});
    if (!schedule) return schedule.error();
    schedules.push_back(std::move(*schedule));
  }
  const auto printed =
      shell.print_result("ergon.allocate.compare/1", loaded->files,
                         report::allocation_comparison_json(loaded->network, loaded->hardware,
                                                            source.slack.value_or(0), schedules),
                         true, [&] {
                           return fmt::format(
                               "{} (simulated, {} timing)\n{}\n\n{}\n"
                               "energy saved: against race to idle, switches included except for ideal.\n"
                               "slowdown: simulated latency against race to idle.\n"
                               "optimum: most that any schedule over the same levels can save in that time;\n"
                               "in the row of optimal-split, with switches inside layers.\n",
                               loaded->network, name_of(hardware.semantics), loaded->hardware.text(),
                               schedules_text(schedules, shell.table_style()));
                         });
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command allocate_compare_command() {
  return {
      .name = "compare",
      .summary = "compare all schemes",
      .description =
          "Energy saved, planned latency and simulated latency of each scheme. --slack applies to greedy, "
          "optimal and optimal-split.",
      .declare = [](Options& options) -> Action {
        auto source = std::make_shared<AllocationOptions>();
        source->declare(options);
        return [source](Shell& shell) { return compare(*source, shell); };
      },
  };
}

}  // namespace ergon::app
