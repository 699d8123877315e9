#include "schedules/schedule_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using namespace allocate;
using report::Align;

std::string clock_text(const Setting& setting) {
  const std::string clock = to_text(setting.clock);
  return setting.tail ? fmt::format("{} > {}", clock, to_text(setting.tail->clock)) : clock;
}

std::string layers_text(const Schedule& schedule, const Hardware& hardware, const report::TableStyle& style) {
  report::TextTable table({{"layer"},
                           {"bound"},
                           {"clock", Align::right},
                           {"voltage", Align::right},
                           {"bandwidth", Align::right},
                           {"time", Align::right},
                           {"waits", Align::right},
                           {"energy", Align::right}});
  for (const ScheduledLayer& layer : schedule.layers) {
    table.row({printable(layer.demand.name, 24), std::string(name_of(layer.demand.bound)),
               clock_text(layer.setting),
               fmt::format("{:.0f}%", 100 * hardware.voltage_ratio(layer.setting.clock)),
               to_text(hardware.bandwidth(layer.setting.words)), to_text(layer.simulated.total),
               to_text(layer.simulated.stall), fmt::format("{:.1f}%", 100 * layer.energy_ratio)});
  }
  const bool changes =
      std::any_of(schedule.layers.begin(), schedule.layers.end(),
                  [](const ScheduledLayer& layer) { return layer.setting.tail.has_value(); });
  return table.text(style) + (changes ? "(A > B: the clock changes within the layer, after a wait)\n" : "");
}

std::string latency_text(const Schedule& schedule) {
  const double late = (schedule.simulated / schedule.race_to_idle).si() - 1;
  return fmt::format("latency      {} re-simulated, {} of race to idle's {}; changes of clock: {}\n",
                     to_text(schedule.simulated), change_text(late), to_text(schedule.race_to_idle),
                     schedule.switches);
}

std::string proof_text(const Schedule& schedule) {
  if (!schedule.certificate) return "";
  const Certificate& proof = *schedule.certificate;
  const std::string bound = fmt::format("{:.2f} %", 100 * proof.lower_bound);
  if (!takes_slack(schedule.scheme) || schedule.scheme == Scheme::greedy) {
    return fmt::format(
        "proof        this takes {:.2f} % of race to idle's energy; the best over the same levels in the "
        "same time\n             takes {}\n",
        100 * schedule.energy_ratio, bound);
  }
  const std::string_view over =
      schedule.scheme == Scheme::optimal_split ? "these levels and such changes" : "these levels";
  return proof.exact
             ? fmt::format(
                   "proof        {} of race to idle's energy; no schedule over {} takes less (complete "
                   "search)\n",
                   bound, over)
             : fmt::format(
                   "proof        {:.2f} % of race to idle's energy; no schedule over {} takes less than {}\n",
                   100 * schedule.energy_ratio, over, bound);
}

std::string summary_text(const Schedule& schedule, const Hardware& hardware) {
  std::string text =
      fmt::format("energy       array {} saved by work, {} as mean of layers",
                  saving_text(schedule.by_work.energy_weighted), saving_text(schedule.by_work.layer_mean));
  if (is_arada(schedule.scheme)) {
    text += fmt::format("; by ARADA's eq. 6 {} and {}", saving_text(schedule.as_printed.energy_weighted),
                        saving_text(schedule.as_printed.layer_mean));
  }
  text += "\n";
  if (hardware.memory) {
    text +=
        fmt::format("             with the memory {} saved; of the memory alone {}\n",
                    saving_text(1 - schedule.energy_ratio), saving_text(1 - schedule.memory_energy_ratio));
  }
  text += fmt::format("bandwidth    {} less, mean of layers\n", saving_text(schedule.bandwidth_reduction));
  return text + latency_text(schedule) + proof_text(schedule);
}

// Why a schedule of the paper is later than it promises.
std::string lateness_text(const Schedule& schedule, const AllocationSource::Loaded& loaded) {
  if (!is_arada(schedule.scheme) || schedule.lateness() <= kNoticed) return "";
  std::vector<Setting> settings;
  for (const ScheduledLayer& layer : schedule.layers) {
    settings.push_back(layer.setting);
    settings.back().words = loaded.hardware.hardware.words_per_cycle;
  }
  const bool changes_cost = schedule.scheme != Scheme::ideal;
  const Schedule with_bandwidth =
      evaluate(loaded.demands, loaded.hardware.hardware, settings, {schedule.scheme, changes_cost, nullptr});
  std::string text = fmt::format("{} promises race to idle's latency, but is {} later when simulated:\n",
                                 name_of(schedule.scheme), change_text(schedule.lateness()).substr(1));
  if (schedule.switches > 0) {
    text += fmt::format("what follows a layer's last wait always runs at the lowered clock{}.\n",
                        changes_cost ? ", and changes of clock take time both ways" : "");
  }
  const double by_bandwidth = ((schedule.simulated - with_bandwidth.simulated) / schedule.race_to_idle).si();
  if (by_bandwidth > kWorthSaying) {
    text += fmt::format(
        "{} of it because the rule for bandwidth counts every word once; some are fetched again.\n",
        change_text(by_bandwidth).substr(1));
  }
  return text;
}

std::string iso_latency_text(const Schedule& schedule, const Schedule& other) {
  const std::string why =
      schedule.scheme == Scheme::optimal
          ? "With one clock per layer nothing can be saved in this time: what follows a layer's "
            "last wait\nalways runs at its clock. "
          : "";
  return fmt::format("{}--scheme optimal-split saves {} of the energy in race to idle's own time.\n", why,
                     saving_text(1 - other.energy_ratio));
}

}  // namespace

std::string schedule_text(const Schedule& schedule, const std::optional<Schedule>& other,
                          const AllocationSource::Loaded& loaded, const report::TableStyle& style) {
  const Hardware& hardware = loaded.hardware.hardware;
  std::string text =
      fmt::format("{} on {}; {}, {} timing, simulated\n\n{}\n{}", loaded.network, loaded.hardware.text(),
                  name_of(schedule.scheme), name_of(hardware.semantics),
                  layers_text(schedule, hardware, style), summary_text(schedule, hardware));
  const std::string late = lateness_text(schedule, loaded);
  if (!late.empty() || other) text += "\n" + late;
  if (other) text += iso_latency_text(schedule, *other);
  return text;
}

}  // namespace ergon::app
