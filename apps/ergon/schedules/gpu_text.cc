#include "schedules/gpu_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"
#include "schedules/allocation.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

// More runs than this are no schedule that somebody reads.
constexpr std::size_t kMostRuns = 20;

std::string title_text(const GpuWork& work) {
  const device::Workload& workload = work.workload();
  return fmt::format("{} on {}, simulated: {}, batch {}, {}; {} operations, {} to {}{}\n", workload.network,
                     work.gpu().name, workload.mode == graph::Mode::training ? "training" : "inference",
                     workload.batch, name_of(workload.precision), work.steps().size(),
                     to_text(work.clocks().front()), to_text(work.top()),
                     work.limited() ? " (the most under the power limit)" : "");
}

std::string schemes_text(const GpuAllocation& allocation, const report::TableStyle& style) {
  report::TextTable table({{"scheme"},
                           {"time", Align::right},
                           {"later", Align::right},
                           {"energy", Align::right},
                           {"saves", Align::right},
                           {"changes", Align::right}});
  const GpuSchedule& full = allocation.schedules.front();
  for (const GpuSchedule& each : allocation.schedules) {
    table.row({std::string(name_of(each.scheme)), to_text(each.time),
               change_text((each.time / full.time).si() - 1), to_text(each.energy),
               saving_text(1 - (each.energy / full.energy).si()), fmt::format("{}", each.changes)});
  }
  return table.text(style);
}

std::string place_text(const GpuWork& work, std::size_t step) {
  const GpuStep& at = work.steps()[step];
  return printable(at.name, 24) + (at.pass == Pass::backward ? " (backward)" : "");
}

std::string runs_text(const GpuWork& work, const GpuSchedule& schedule, const report::TableStyle& style) {
  const auto runs = clock_runs(work, schedule);
  if (runs.size() == 1) {
    return fmt::format("{}: all at {}\n", name_of(schedule.scheme), to_text(runs[0].clock));
  }
  report::TextTable table(
      {{"operations", Align::right}, {"clock", Align::right}, {"time", Align::right}, {"from"}, {"to"}});
  for (std::size_t i = 0; i < std::min(runs.size(), kMostRuns); ++i) {
    const ClockRun& run = runs[i];
    table.row({fmt::format("{}", run.count), to_text(run.clock), to_text(run.time),
               place_text(work, run.first), place_text(work, run.first + run.count - 1)});
  }
  std::string text = fmt::format("{}:\n{}", name_of(schedule.scheme), table.text(style));
  if (runs.size() > kMostRuns) text += fmt::format("and {} more; --json has all\n", runs.size() - kMostRuns);
  return text;
}

std::string break_even_text(const GpuWork& work, const BreakEven& found) {
  const std::string worth = fmt::format("{:g} %", 100 * found.worth);
  if (!found.switch_time) {
    return fmt::format(
        "Changing the clock from operation to operation never pays here: even if a change took {},\n"
        "it would take {} less energy than one-clock; {} is where it begins to pay.\n",
        to_text(found.shortest), saving_text(found.saves_at_shortest), worth);
  }
  const bool pays = work.switch_time() <= *found.switch_time;
  const bool everywhere = *found.switch_time >= found.longest;
  return fmt::format(
      "Changing the clock from operation to operation pays {} {} ({} less energy than one-clock);\n"
      "here a change takes {}: it {}. If it took {}, {} would be saved.\n",
      everywhere ? "even where a change takes" : "below", to_text(*found.switch_time), worth,
      to_text(work.switch_time()), pays ? "pays" : "does not pay", to_text(found.shortest),
      saving_text(found.saves_at_shortest));
}

}  // namespace

std::string gpu_allocation_text(const GpuWork& work, const GpuAllocation& allocation, const report::TableStyle& style) {
  return fmt::format(
      "{}\n{}\nsaves: energy of race to idle's, changes of clock paid, except by ideal. one-clock, greedy "
      "and "
      "optimal may\nspend {} more time than race to idle; a change of clock takes {}.\n\n{}\n{}",
      title_text(work), schemes_text(allocation, style), saving_text(allocation.slack),
      to_text(work.switch_time()), runs_text(work, allocation.schedules[allocation.shown], style),
      break_even_text(work, allocation.break_even));
}

}  // namespace ergon::app
