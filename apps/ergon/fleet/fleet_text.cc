#include "fleet/fleet_text.h"

#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/text.h"
#include "base/units_text.h"
#include "fleet/summary/hosts.h"
#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::app {
namespace {

using report::Align;
using report::TextTable;

constexpr std::size_t kHostsShown = 20;

constexpr auto index_of(fleet::Metric metric) { return static_cast<std::size_t>(metric); }

std::string optional_text(const std::optional<double>& number, int digits) {
  return number ? fmt::format("{:.{}f}", *number, digits) : "-";
}

std::string mean_text(const std::optional<fleet::MeanInterval>& mean, int digits) {
  return mean ? fmt::format("{:.{}f}", mean->value, digits) : "-";
}

// Four significant digits; digit groups instead of an exponent for large numbers.
std::string short_number(double number) {
  return std::abs(number) >= 1e4 ? grouped_digits(std::llround(number)) : grouped_text(number);
}

std::string grouped(std::uint64_t number) { return grouped_digits(static_cast<std::int64_t>(number)); }

std::string counted_grouped(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string counts_text(const fleet::FleetSummary& summary) {
  return fmt::format("{} of {} in {} on {}\n{} of {}\n", counted_grouped(summary.paired, "event"),
                     counted_grouped(summary.tasks, "task"), counted_grouped(summary.jobs, "job"),
                     counted_grouped(summary.hosts, "host"), counted_grouped(summary.samples.rows, "sample"),
                     counted_grouped(summary.gpus, "GPU"));
}

// Both joins side by side: nearest samples and the interval.
std::string events_text(const std::vector<fleet::EventSummary>& events, const std::string& name,
                        const report::TableStyle& style) {
  const bool exclusive = name == "event";  // levels are of outermost events, which contain all others
  std::vector<TextTable::Heading> headings{{name},
                                           {"n", Align::right},
                                           {"mean (ms)", Align::right},
                                           {"p50 (ms)", Align::right, 3},
                                           {"p95 (ms)", Align::right, 4},
                                           {"p99 (ms)", Align::right, 1},
                                           {"nearest power (W)", Align::right, 5},
                                           {"nearest util. (%)", Align::right, 5},
                                           {"power (W)", Align::right},
                                           {"util. (%)", Align::right},
                                           {"energy/event (J)", Align::right}};
  if (exclusive) headings.push_back({"exclusive energy", Align::right, 2});
  TextTable table(headings);
  for (const fleet::EventSummary& event : events) {
    std::vector<std::string> cells{printable(event.name),
                                   grouped(event.count),
                                   fmt::format("{:.2f}", event.seconds.value * 1e3),
                                   fmt::format("{:.0f}", event.seconds_p50 * 1e3),
                                   fmt::format("{:.0f}", event.seconds_p95 * 1e3),
                                   fmt::format("{:.0f}", event.seconds_p99 * 1e3),
                                   optional_text(event.nearest[index_of(fleet::Metric::power)], 2),
                                   optional_text(event.nearest[index_of(fleet::Metric::utilization)], 1),
                                   mean_text(event.interval[index_of(fleet::Metric::power)], 2),
                                   mean_text(event.interval[index_of(fleet::Metric::utilization)], 1),
                                   event.energy_each ? short_number(event.energy_each->si()) : "-"};
    if (exclusive) cells.push_back(to_text(event.exclusive_energy));
    table.row(std::move(cells));
  }
  return table.text(style);
}

std::string energy_text(const fleet::FleetSummary& summary, const Prices& prices) {
  const fleet::EnergySummary& energy = summary.energy;
  if (!(energy.total > Joules{0})) return "no energy: needs two samples with power, at most --gap apart\n";
  std::string text = fmt::format(
      "energy: {} ({} kWh) in {} GPU-hours\n  attributed to events: {}\n"
      "  idle: {} ({:.1f} % of the energy, {:.1f} % of the time)\n"
      "  unattributed: {} ({:.1f} % of the energy, {:.1f} % of the time)\n",
      to_text(energy.total), grouped_text(kwh(energy.total)),
      grouped_text(energy.gpu_time.si() / kSecondsPerHour), to_text(energy.attributed),
      to_text(energy.idle_energy), 100 * (energy.idle_energy / energy.total).si(),
      100 * (energy.idle_time / energy.gpu_time).si(), to_text(energy.unattributed.energy),
      100 * (energy.unattributed.energy / energy.total).si(),
      100 * (energy.unattributed.time / energy.gpu_time).si());
  if (const auto price = prices.of_energy(energy.total))
    text += fmt::format("price: {}, idle {}\n", grouped_text(*price),
                        grouped_text(*prices.of_energy(energy.idle_energy)));
  if (const auto grams = prices.carbon_grams(energy.total))
    text += fmt::format("carbon: {} kg, idle {} kg\n", grouped_text(*grams / 1e3),
                        grouped_text(*prices.carbon_grams(energy.idle_energy) / 1e3));
  return text;
}

std::string populations_text(const fleet::FleetSummary& summary, const report::TableStyle& style) {
  constexpr std::size_t kMinGpus = 4;
  if (summary.gpu_list.size() < kMinGpus || summary.paired == 0) return {};
  const fleet::Populations& all = summary.populations;
  std::string text;
  if (all.clear) {
    text = fmt::format(
        "two populations of GPUs, separated by {} (separation {:.2f})\n"
        "  {} GPUs with {:.2f} s per task, {} GPUs with {:.2f} s per task\n",
        all.split_by, all.separation, all.groups[0].gpus, all.groups[0].task_seconds, all.groups[1].gpus,
        all.groups[1].task_seconds);
  } else {
    text = fmt::format("one population of {} GPUs\n", summary.gpu_list.size());
  }
  std::vector<TextTable::Heading> headings{{"correlation with task duration"}, {"all GPUs", Align::right}};
  for (std::size_t i = 0; i < all.groups.size() && all.clear; ++i)
    headings.push_back({i == 0 ? "faster" : "slower", Align::right});
  if (all.clear) headings.push_back({"within groups", Align::right});
  TextTable table(headings);
  for (std::size_t m = 0; m < fleet::kMetrics; ++m) {
    const fleet::TaskCorrelation& each = summary.correlations[m];
    std::vector<std::string> cells{std::string(fleet::kMetricNames[m]), optional_text(each.pooled, 3)};
    if (all.clear) {
      for (const auto& within : each.within) cells.push_back(optional_text(within, 3));
      cells.push_back(optional_text(each.all_within, 3));
    }
    table.row(std::move(cells));
  }
  return text + table.text(style);
}

std::string findings_text(const fleet::FleetSummary& summary, const Prices& prices) {
  std::string text;
  bool data = false, first = true;
  for (const fleet::Finding& finding : summary.findings) {
    if (finding.about_data && !data) text += "\ndata quality\n";
    if (!finding.about_data && first) text += "\nrecommendations, by maximum saving (savings may overlap)\n";
    data = finding.about_data;
    first = false;
    std::string saving;
    if (finding.saving_energy) {
      saving = to_text(*finding.saving_energy);
      if (summary.energy.total > Joules{0})
        saving += fmt::format(", {:.1f} %", 100 * (*finding.saving_energy / summary.energy.total).si());
      if (const auto price = prices.of_energy(*finding.saving_energy))
        saving += fmt::format(", price {}", grouped_text(*price, 3));
      saving = fmt::format(" ({})", saving);
    }
    text += fmt::format("- {}\n  {}\n", report::wrapped(finding.title + saving, 2, 2),
                        report::wrapped(finding.detail, 2, 2));
  }
  return text;
}

std::string hosts_text(const fleet::FleetSummary& summary, const report::TableStyle& style) {
  std::vector<const fleet::HostSummary*> hosts;
  for (const fleet::HostSummary& host : summary.host_list) hosts.push_back(&host);
  std::stable_sort(hosts.begin(), hosts.end(), [](const auto* a, const auto* b) {
    return std::abs(a->z.value_or(0)) > std::abs(b->z.value_or(0));
  });
  TextTable table({{"host"},
                   {"tasks", Align::right},
                   {"task (s)", Align::right},
                   {"z-score", Align::right},
                   {"energy", Align::right},
                   {"idle energy", Align::right, 1},
                   {"change", Align::right, 2},
                   {"clock skew", Align::right, 3}});
  for (std::size_t i = 0; i < std::min(hosts.size(), kHostsShown); ++i) {
    const fleet::HostSummary& host = *hosts[i];
    table.row({printable(host.name), grouped(host.tasks), fmt::format("{:.3f}", host.task_seconds.value),
               optional_text(host.z, 1), to_text(host.energy), to_text(host.idle_energy),
               host.change ? fmt::format("{:+.1f} %", 100 * host.change->change()) : "",
               host.skew ? fmt::format("{:+.1f} s", host.skew->si()) : ""});
  }
  std::string text = table.text(style);
  if (hosts.size() > kHostsShown)
    text += fmt::format("... and {} more with smaller z-scores; --out and --json list all\n",
                        hosts.size() - kHostsShown);
  return text;
}

std::string gpus_text(const fleet::FleetSummary& summary, const report::TableStyle& style) {
  TextTable table({{"GPU"},
                   {"host"},
                   {"samples", Align::right, 2},
                   {"power (W)", Align::right},
                   {"temp. (C)", Align::right, 4},
                   {"util. (%)", Align::right, 1},
                   {"memory (%)", Align::right, 3},
                   {"task (s)", Align::right}});
  for (std::size_t i = 0; i < std::min(summary.gpu_list.size(), kHostsShown); ++i) {
    const fleet::GpuSummary& gpu = summary.gpu_list[i];
    table.row({printable(gpu.uuid), printable(gpu.host), grouped(gpu.samples), optional_text(gpu.mean[0], 2),
               optional_text(gpu.mean[1], 1), optional_text(gpu.mean[2], 1), optional_text(gpu.mean[3], 1),
               optional_text(gpu.task_seconds, 3)});
  }
  std::string text = table.text(style);
  if (summary.gpu_list.size() > kHostsShown)
    text +=
        fmt::format("... and {} more; --out and --json list all\n", summary.gpu_list.size() - kHostsShown);
  return text;
}

std::string tasks_text(const fleet::FleetSummary& summary, const report::TableStyle& style) {
  if (summary.longest_tasks.empty()) return "no tasks\n";
  TextTable table({{"task"},
                   {"duration (s)", Align::right},
                   {"x median", Align::right},
                   {"straggler"},
                   {"energy", Align::right, 1},
                   {"level", Align::right, 2},
                   {"host", Align::left, 3},
                   {"start", Align::left, 4}});
  for (const fleet::LongTask& each : summary.longest_tasks)
    table.row({printable(each.event.task),
               fmt::format("{:.1f}", static_cast<double>(each.event.duration_ns) / 1e9),
               optional_text(each.times_median, 2), each.straggler ? "yes" : "",
               each.event.energy ? to_text(*each.event.energy) : "-", printable(each.event.level),
               printable(each.event.host), to_text(each.event.start)});
  std::string text = table.text(style);
  std::uint64_t tasks = 0;
  for (const fleet::EventSummary& event : summary.events) {
    if (event.name == summary.outermost) tasks = event.count;
  }
  if (tasks > summary.longest_tasks.size())
    text += fmt::format("... and {} that are not longer; `fleet analyze --out` lists all\n",
                        counted_grouped(tasks - summary.longest_tasks.size(), "task"));
  return text;
}

std::string time_text(const fleet::FleetSummary& summary, const report::TableStyle& style) {
  const fleet::FleetOverTime& over_time = summary.over_time;
  if (over_time.rows.empty()) return "no samples\n";
  TextTable table(
      {{"time"}, {"GPUs", Align::right}, {"power (W)", Align::right}, {"util. (%)", Align::right}});
  for (const fleet::FleetOverTime::Row& row : over_time.rows)
    table.row(
        {to_text(row.start), grouped(row.gpus), optional_text(row.watts, 1), optional_text(row.percent, 1)});
  return table.text(style) +
         fmt::format("rows of {:.0f} s; power: sum over GPUs of their means, util.: mean over GPUs\n",
                     over_time.bin.si());
}

}  // namespace

std::string fleet_text(const fleet::FleetSummary& summary, const FleetOutput& output,
                       const report::TableStyle& style) {
  using fleet::SummaryTable;
  std::string text = counts_text(summary);
  if (output.shows(SummaryTable::event) && !summary.events.empty())
    text += "\n" + events_text(summary.events, "event", style);
  if (output.shows(SummaryTable::level) && !summary.levels.empty())
    text += "\n" + events_text(summary.levels, "level", style);
  if (output.shows(SummaryTable::host)) text += "\n" + hosts_text(summary, style);
  if (output.shows(SummaryTable::gpu)) text += "\n" + gpus_text(summary, style);
  if (output.shows(SummaryTable::task)) text += "\n" + tasks_text(summary, style);
  if (output.shows(SummaryTable::time)) text += "\n" + time_text(summary, style);
  if (output.shows(SummaryTable::event) && !summary.events.empty())
    text +=
        "\npower, util.: means from START to STOP. nearest: means of the samples nearest to\n"
        "START and STOP; this power is of the whole host, not divided among tasks.\n"
        "energy/event: mean over events with samples from START to STOP.\n"
        "exclusive energy: total without the events inside.\n";
  text += "\n" + energy_text(summary, output.prices);
  if (const auto populations = populations_text(summary, style); !populations.empty())
    text += "\n" + populations;
  return text + findings_text(summary, output.prices);
}

}  // namespace ergon::app
