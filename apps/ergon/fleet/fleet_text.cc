#include "fleet/fleet_text.h"

#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "fleet/answers/hosts.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;
using report::TextTable;

constexpr std::size_t kTextColumns = 110, kHostsShown = 20;

constexpr auto place_of(fleet::Metric metric) { return static_cast<std::size_t>(metric); }

std::string optional_text(const std::optional<double>& number, int digits) {
  return number ? fmt::format("{:.{}f}", *number, digits) : "-";
}

std::string mean_text(const std::optional<fleet::MeanAnswer>& mean, int digits) {
  return mean ? fmt::format("{:.{}f}", mean->value, digits) : "-";
}

double kwh(Joules energy) { return energy.si() / 3.6e6; }

// Four digits, never an exponent for what a person would write out.
std::string short_number(double number) {
  return std::abs(number) >= 1e4 ? grouped_digits(std::llround(number)) : fmt::format("{:.4g}", number);
}

std::string grouped(std::uint64_t number) { return grouped_digits(static_cast<std::int64_t>(number)); }

// Words in lines, all but the first set in by as much as the first.
std::string set_in(std::string_view text, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  for (const std::string_view word : split(text, ' ')) {
    if (column > indent && column + 1 + word.size() > kTextColumns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ', ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string counted_grouped(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string counts_text(const fleet::FleetAnswers& answers) {
  return fmt::format("{} of {} on {}, {} of {}; {}\n", counted_grouped(answers.paired, "event"),
                     counted_grouped(answers.tasks, "task"), counted_grouped(answers.hosts, "host"),
                     counted_grouped(answers.samples.rows, "sample"), counted_grouped(answers.gpus, "GPU"),
                     counted_grouped(answers.jobs, "job"));
}

// Both joins side by side.
std::string events_text(const std::vector<fleet::EventAnswer>& events, const std::string& name, const report::TableStyle& style) {
  const bool own = name == "event";  // levels have none: what is inside of tasks is of their level too
  std::vector<TextTable::Heading> headings{{name},
                                           {"n", Align::right},
                                           {"mean ms", Align::right},
                                           {"p50", Align::right},
                                           {"p95", Align::right},
                                           {"p99", Align::right},
                                           {"nearest W", Align::right},
                                           {"util %", Align::right},
                                           {"interval W", Align::right},
                                           {"util %", Align::right},
                                           {"J each", Align::right}};
  if (own) headings.push_back({"own", Align::right});
  TextTable table(headings);
  for (const fleet::EventAnswer& event : events) {
    std::vector<std::string> cells{printable(event.name),
                                   grouped(event.count),
                                   fmt::format("{:.2f}", event.seconds.value * 1e3),
                                   fmt::format("{:.0f}", event.seconds_p50 * 1e3),
                                   fmt::format("{:.0f}", event.seconds_p95 * 1e3),
                                   fmt::format("{:.0f}", event.seconds_p99 * 1e3),
                                   optional_text(event.nearest[place_of(fleet::Metric::power)], 2),
                                   optional_text(event.nearest[place_of(fleet::Metric::utilisation)], 1),
                                   mean_text(event.interval[place_of(fleet::Metric::power)], 2),
                                   mean_text(event.interval[place_of(fleet::Metric::utilisation)], 1),
                                   event.energy_each ? short_number(event.energy_each->si()) : "-"};
    if (own) cells.push_back(to_text(event.own_energy));
    table.row(std::move(cells));
  }
  return table.text(style);
}

std::string energy_text(const fleet::FleetAnswers& answers, const report::FleetPrices& prices) {
  const fleet::EnergyAnswer& energy = answers.energy;
  if (!(energy.total > Joules{0}))
    return "no energy: that takes two samples of power, not further apart than --gap\n";
  std::string text = fmt::format(
      "energy {} ({:.4g} kWh) in {:.4g} GPU-hours: {} in events, {} idle ({:.1f} %; {:.1f} % of the time)\n",
      to_text(energy.total), kwh(energy.total), energy.gpu_time.si() / 3600, to_text(energy.attributed),
      to_text(energy.idle_energy), 100 * (energy.idle_energy / energy.total).si(),
      100 * (energy.idle_time / energy.gpu_time).si());
  if (prices.per_kwh)
    text += fmt::format("price {:.4g}, {:.4g} of it idle\n", kwh(energy.total) * *prices.per_kwh,
                        kwh(energy.idle_energy) * *prices.per_kwh);
  if (prices.carbon_grams_per_kwh)
    text += fmt::format("carbon {:.4g} kg, {:.4g} kg of it idle\n",
                        kwh(energy.total) * *prices.carbon_grams_per_kwh / 1e3,
                        kwh(energy.idle_energy) * *prices.carbon_grams_per_kwh / 1e3);
  return text;
}

std::string populations_text(const fleet::FleetAnswers& answers, const report::TableStyle& style) {
  constexpr std::size_t kFewestGpus = 4;  // of which anything could be said
  if (answers.gpu_list.size() < kFewestGpus || answers.paired == 0) return {};
  const fleet::Populations& all = answers.populations;
  std::string text;
  if (all.clear) {
    text = fmt::format(
        "two populations by {}: {} GPUs with {:.2f} s a task and {} with {:.2f} s; separation {:.2f}\n",
        all.split_by, all.groups[0].gpus, all.groups[0].task_seconds, all.groups[1].gpus,
        all.groups[1].task_seconds, all.separation);
  } else {
    text = fmt::format("one population of {} GPUs\n", answers.gpu_list.size());
  }
  std::vector<TextTable::Heading> headings{{"with task duration"}, {"r", Align::right}};
  for (std::size_t i = 0; i < all.groups.size() && all.clear; ++i)
    headings.push_back({i == 0 ? "in the faster" : "in the slower", Align::right});
  if (all.clear) headings.push_back({"within both", Align::right});
  TextTable table(headings);
  for (std::size_t m = 0; m < fleet::kMetrics; ++m) {
    const fleet::CorrelationAnswer& each = answers.correlations[m];
    std::vector<std::string> cells{std::string(fleet::kMetricNames[m]), optional_text(each.pooled, 3)};
    if (all.clear) {
      for (const auto& within : each.within) cells.push_back(optional_text(within, 3));
      cells.push_back(optional_text(each.all_within, 3));
    }
    table.row(std::move(cells));
  }
  return text + table.text(style);
}

std::string findings_text(const fleet::FleetAnswers& answers, const report::FleetPrices& prices) {
  std::string text;
  bool data = false, first = true;
  for (const fleet::Finding& finding : answers.findings) {
    if (finding.about_data && !data) text += "\nabout the data\n";
    if (!finding.about_data && first)
      text += "\nwhat to mend, by what each would save at most (some overlap)\n";
    data = finding.about_data;
    first = false;
    std::string saving;
    if (finding.saving_energy) {
      saving = to_text(*finding.saving_energy);
      if (answers.energy.total > Joules{0})
        saving += fmt::format(", {:.1f} %", 100 * (*finding.saving_energy / answers.energy.total).si());
      if (prices.per_kwh)
        saving += fmt::format(", price {:.3g}", kwh(*finding.saving_energy) * *prices.per_kwh);
      saving = fmt::format(" ({})", saving);
    }
    text += fmt::format("- {}{}\n  {}\n", finding.title, saving, set_in(finding.detail, 2));
  }
  return text;
}

std::string hosts_text(const fleet::FleetAnswers& answers, const report::TableStyle& style) {
  std::vector<const fleet::HostAnswer*> hosts;
  for (const fleet::HostAnswer& host : answers.host_list) hosts.push_back(&host);
  std::stable_sort(hosts.begin(), hosts.end(), [](const auto* a, const auto* b) {
    return std::abs(a->z.value_or(0)) > std::abs(b->z.value_or(0));
  });
  TextTable table({{"host"},
                   {"tasks", Align::right},
                   {"s a task", Align::right},
                   {"z", Align::right},
                   {"energy", Align::right},
                   {"idle", Align::right},
                   {"change", Align::right},
                   {"skew", Align::right}});
  for (std::size_t i = 0; i < std::min(hosts.size(), kHostsShown); ++i) {
    const fleet::HostAnswer& host = *hosts[i];
    table.row({printable(host.name), grouped(host.tasks), fmt::format("{:.3f}", host.task_seconds.value),
               optional_text(host.z, 1), to_text(host.energy), to_text(host.idle_energy),
               host.change ? fmt::format("{:+.1f} %", 100 * host.change->change()) : "",
               host.skew ? fmt::format("{:+.1f} s", host.skew->si()) : ""});
  }
  std::string text = table.text(style);
  if (hosts.size() > kHostsShown)
    text += fmt::format("... and {} more, by distance from their like; --out or --json has all\n",
                        hosts.size() - kHostsShown);
  return text;
}

std::string gpus_text(const fleet::FleetAnswers& answers, const report::TableStyle& style) {
  TextTable table({{"GPU"},
                   {"host"},
                   {"samples", Align::right},
                   {"W", Align::right},
                   {"C", Align::right},
                   {"util", Align::right},
                   {"memory", Align::right},
                   {"s a task", Align::right}});
  for (std::size_t i = 0; i < std::min(answers.gpu_list.size(), kHostsShown); ++i) {
    const fleet::GpuAnswer& gpu = answers.gpu_list[i];
    table.row({printable(gpu.uuid), printable(gpu.host), grouped(gpu.samples), optional_text(gpu.mean[0], 2),
               optional_text(gpu.mean[1], 1), optional_text(gpu.mean[2], 1), optional_text(gpu.mean[3], 1),
               optional_text(gpu.task_seconds, 3)});
  }
  std::string text = table.text(style);
  if (answers.gpu_list.size() > kHostsShown)
    text += fmt::format("... and {} more; --out or --json has all\n", answers.gpu_list.size() - kHostsShown);
  return text;
}

std::string tasks_text(const fleet::FleetAnswers& answers, const report::TableStyle& style) {
  if (answers.stragglers.empty()) return "no task takes far longer than its like\n";
  TextTable table({{"task"},
                   {"host"},
                   {"level", Align::right},
                   {"start"},
                   {"s", Align::right},
                   {"x median", Align::right},
                   {"energy", Align::right}});
  for (const fleet::Straggler& each : answers.stragglers)
    table.row({printable(each.event.task), printable(each.event.host), printable(each.event.level),
               to_text(each.event.start),
               fmt::format("{:.1f}", static_cast<double>(each.event.duration_ns) / 1e9),
               fmt::format("{:.2f}", each.times_median), to_text(each.event.energy)});
  return table.text(style);
}

}  // namespace

std::string fleet_text(const fleet::FleetAnswers& answers, const FleetOutput& output, const report::TableStyle& style) {
  std::string text = counts_text(answers);
  if (output.wants("event") && !answers.events.empty())
    text += "\n" + events_text(answers.events, "event", style);
  if (output.wants("level") && !answers.levels.empty())
    text += "\n" + events_text(answers.levels, "level", style);
  if (output.wants("host")) text += "\n" + hosts_text(answers, style);
  if (output.wants("gpu")) text += "\n" + gpus_text(answers, style);
  if (output.wants("task")) text += "\n" + tasks_text(answers, style);
  if (output.wants("event") && !answers.events.empty())
    text +=
        "\nnearest: samples next to START and STOP; interval: all the time between; J each: of events "
        "sampled from\n"
        "START to STOP; own: energy of the time in which no event inside is under way\n";
  text += "\n" + energy_text(answers, output.prices);
  if (const auto populations = populations_text(answers, style); !populations.empty())
    text += "\n" + populations;
  return text + findings_text(answers, output.prices);
}

}  // namespace ergon::app
