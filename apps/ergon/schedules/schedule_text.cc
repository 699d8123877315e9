#include "schedules/schedule_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "allocate/plan.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

std::string clock_text(const LayerSetting& setting) {
  const std::string clock = to_text(setting.clock);
  return setting.tail ? fmt::format("{} > {}", clock, to_text(setting.tail->clock)) : clock;
}

std::string layers_text(const Schedule& schedule, const Hardware& hardware, const report::TableStyle& style) {
  report::TextTable table({{"layer"},
                           {"bound", Align::left, 2},
                           {"clock", Align::right},
                           {"voltage", Align::right, 3},
                           {"bandwidth", Align::right},
                           {"time", Align::right},
                           {"stalled", Align::right, 1},
                           {"energy", Align::right}});
  for (const ScheduledLayer& layer : schedule.layers) {
    table.row({printable(layer.demand.name, 24), std::string(name_of(layer.demand.bound)),
               clock_text(layer.setting),
               fmt::format("{:.0f}%", 100 * hardware.voltage_ratio(layer.setting.clock)),
               to_text(hardware.bandwidth(layer.setting.words)), to_text(layer.simulated.total),
               to_text(layer.simulated.stall), fmt::format("{:.1f}%", 100 * layer.energy_ratio)});
  }
  const bool switches_inside =
      std::any_of(schedule.layers.begin(), schedule.layers.end(),
                  [](const ScheduledLayer& layer) { return layer.setting.tail.has_value(); });
  return table.text(style) +
         (switches_inside ? "A > B: the clock switches from A to B within the layer, after a stall\n" : "");
}

std::string latency_text(const Schedule& schedule) {
  return fmt::format("latency      {} simulated, {} against race to idle ({})\nswitches     {}\n",
                     to_text(schedule.simulated), change_text(schedule.slowdown_to_race_to_idle()),
                     to_text(schedule.race_to_idle), schedule.switches);
}

std::string proof_text(const Schedule& schedule) {
  if (!schedule.certificate) return "";
  const Certificate& proof = *schedule.certificate;
  const std::string bound = fmt::format("{:.2f} %", 100 * proof.lower_bound);
  if (!takes_slack(schedule.scheme) || schedule.scheme == Scheme::greedy) {
    return fmt::format(
        "lower bound  this schedule needs {:.2f} % of race to idle's energy;\n"
        "             the optimum over the same levels in the same time: {}\n",
        100 * schedule.energy_ratio, bound);
  }
  const std::string_view over = schedule.scheme == Scheme::optimal_split
                                    ? "these levels, with switches inside layers,"
                                    : "these levels";
  return proof.exact ? fmt::format(
                           "lower bound  {} of race to idle's energy; no schedule over\n"
                           "             {} needs less (complete search)\n",
                           bound, over)
                     : fmt::format(
                           "lower bound  {:.2f} % of race to idle's energy; no schedule over\n"
                           "             {} needs less than {}\n",
                           100 * schedule.energy_ratio, over, bound);
}

std::string summary_text(const Schedule& schedule, const Hardware& hardware) {
  std::string text =
      fmt::format("energy       array: {} saved by work, {} as mean of layers",
                  saving_text(schedule.by_work.energy_weighted), saving_text(schedule.by_work.layer_mean));
  if (is_arada(schedule.scheme)) {
    text += fmt::format("\n             by ARADA's eq. 6: {} and {}",
                        saving_text(schedule.as_printed.energy_weighted),
                        saving_text(schedule.as_printed.layer_mean));
  }
  text += "\n";
  if (hardware.memory) {
    text +=
        fmt::format("             with memory: {} saved; memory alone: {}\n",
                    saving_text(1 - schedule.energy_ratio), saving_text(1 - schedule.memory_energy_ratio));
  }
  text += fmt::format("bandwidth    {} saved, mean of layers\n", saving_text(schedule.bandwidth_reduction));
  return text + latency_text(schedule) + proof_text(schedule);
}

// Why a schedule of an ARADA scheme is slower than planned.
std::string slowdown_text(const Schedule& schedule, const AllocationOptions::Loaded& loaded) {
  if (!is_arada(schedule.scheme) || schedule.meets_planned_latency()) return "";
  std::string text = fmt::format("{} assumes race to idle's latency but is {} slower when simulated.\n",
                                 name_of(schedule.scheme), change_text(schedule.slowdown()).substr(1));
  if (schedule.switches > 0) {
    text += fmt::format("The lines after a layer's last stall run at the lowered clock{}.\n",
                        schedule.scheme != Scheme::ideal ? ",\nand every switch takes time" : "");
  }
  const double by_bandwidth = slowdown_by_bandwidth(schedule, loaded.demands, loaded.hardware.hardware);
  if (by_bandwidth > kMinReported) {
    text += fmt::format(
        "{} of it comes from the bandwidth rule: it counts every word once,\nbut some are fetched again.\n",
        change_text(by_bandwidth).substr(1));
  }
  return text;
}

std::string iso_latency_text(const Schedule& schedule, const Schedule& other) {
  const std::string why =
      schedule.scheme == Scheme::optimal
          ? "With one clock per layer nothing can be saved in this time: the lines after\n"
            "a layer's last stall run at its clock.\n"
          : "";
  return fmt::format("{}--scheme optimal-split saves {} of the energy in race to idle's time.\n", why,
                     saving_text(1 - other.energy_ratio));
}

}  // namespace

std::string schedule_text(const Schedule& schedule, const std::optional<Schedule>& other,
                          const AllocationOptions::Loaded& loaded, const report::TableStyle& style) {
  const Hardware& hardware = loaded.hardware.hardware;
  std::string text =
      fmt::format("{}, scheme {} (simulated, {} timing)\n{}\n\n{}\n{}", loaded.network,
                  name_of(schedule.scheme), name_of(hardware.semantics), loaded.hardware.text(),
                  layers_text(schedule, hardware, style), summary_text(schedule, hardware));
  const std::string late = slowdown_text(schedule, loaded);
  if (!late.empty() || other) text += "\n" + late;
  if (other) text += iso_latency_text(schedule, *other);
  return text;
}

}  // namespace ergon::app
