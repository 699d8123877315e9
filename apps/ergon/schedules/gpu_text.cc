#include "schedules/gpu_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"
#include "schedules/allocation_options.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

// Maximum rows of the table of clocks.
constexpr std::size_t kMaxRuns = 20;

std::string title_text(const GpuWork& work) {
  const device::Workload& workload = work.workload();
  return fmt::format("{} on {} (simulated): {}, batch {}, {}\n{} operations, clocks from {} to {}{}\n",
                     workload.network, work.gpu().name, name_of(workload.mode), workload.batch,
                     name_of(workload.precision), work.steps().size(), to_text(work.clocks().front()),
                     to_text(work.top()), work.limited() ? " (the highest within the power limit)" : "");
}

std::string schemes_text(const GpuAllocation& allocation, const report::TableStyle& style) {
  report::TextTable table({{"scheme"},
                           {"time", Align::right},
                           {"slowdown", Align::right},
                           {"energy", Align::right},
                           {"energy saved", Align::right},
                           {"switches", Align::right, 1}});
  const GpuSchedule& full = allocation.race_to_idle();
  for (const GpuSchedule& each : allocation.schedules) {
    table.row({std::string(name_of(each.scheme)), to_text(each.time),
               change_text((each.time / full.time).si() - 1), to_text(each.energy),
               saving_text(1 - (each.energy / full.energy).si()), fmt::format("{}", each.switches)});
  }
  return table.text(style);
}

std::string step_text(const GpuWork& work, std::size_t step) {
  const GpuStep& at = work.steps()[step];
  return printable(at.name, 24) + (at.pass == Pass::backward ? " (backward)" : "");
}

std::string runs_text(const GpuWork& work, const GpuSchedule& schedule, const report::TableStyle& style) {
  const auto runs = clock_runs(work, schedule);
  if (runs.size() == 1) {
    return fmt::format("{}: all operations at {}\n", name_of(schedule.scheme), to_text(runs[0].clock));
  }
  report::TextTable table(
      {{"operations", Align::right}, {"clock", Align::right}, {"time", Align::right}, {"from"}, {"to"}});
  for (std::size_t i = 0; i < std::min(runs.size(), kMaxRuns); ++i) {
    const ClockRun& run = runs[i];
    table.row({fmt::format("{}", run.count), to_text(run.clock), to_text(run.time),
               step_text(work, run.first), step_text(work, run.first + run.count - 1)});
  }
  std::string text = fmt::format("{}:\n{}", name_of(schedule.scheme), table.text(style));
  if (runs.size() > kMaxRuns)
    text += fmt::format("... and {} more rows (--json lists all)\n", runs.size() - kMaxRuns);
  return text;
}

std::string break_even_text(const GpuWork& work, const BreakEven& found) {
  const std::string min_saving = fmt::format("{:g} %", 100 * found.min_saving);
  if (!found.switch_time) {
    return fmt::format(
        "Switching clocks between operations does not pay: even at a switch time of {}\n"
        "it saves only {} over one-clock (threshold: {}).\n",
        to_text(found.shortest), saving_text(found.saving_at_shortest), min_saving);
  }
  const bool pays = work.switch_time() <= *found.switch_time;
  const bool everywhere = *found.switch_time >= found.longest;
  return fmt::format(
      "Switching clocks between operations pays {} a switch time of {}\n"
      "({} less energy than one-clock). The switch time here is {}: it {}.\n"
      "At {} it would save {}.\n",
      everywhere ? "even at" : "below", to_text(*found.switch_time), min_saving, to_text(work.switch_time()),
      pays ? "pays" : "does not pay", to_text(found.shortest), saving_text(found.saving_at_shortest));
}

}  // namespace

std::string gpu_allocation_text(const GpuWork& work, const GpuAllocation& allocation, GpuScheme shown,
                                const report::TableStyle& style) {
  std::string text = fmt::format(
      "{}\n{}\nenergy saved: against race to idle, switches included except for ideal.\n"
      "one-clock, greedy and optimal {} longer than race to idle.\n"
      "switch time: {}\n{}\n\n{}\n{}",
      title_text(work), schemes_text(allocation, style),
      allocation.slack > 0 ? "may take " + saving_text(allocation.slack) : "take no",
      to_text(work.switch_time()), kNoLaunchOverhead, runs_text(work, allocation.of(shown), style),
      break_even_text(work, allocation.break_even));
  for (const std::string& warning : work.warnings()) text += fmt::format("warning: {}\n", warning);
  return text;
}

}  // namespace ergon::app
