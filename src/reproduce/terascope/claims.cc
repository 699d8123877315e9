#include "reproduce/terascope/claims.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::reproduce {
namespace {

using fleet::EventSummary;
using fleet::Metric;

constexpr std::size_t at(Metric metric) { return static_cast<std::size_t>(metric); }

const EventSummary& named(const std::vector<EventSummary>& events, std::string_view name) {
  static const EventSummary kNone;
  for (const EventSummary& event : events) {
    if (event.name == name) return event;
  }
  return kNone;
}

std::string grouped(std::uint64_t number) { return grouped_digits(static_cast<std::int64_t>(number)); }

Claim count_claim(std::string where, std::string claim, std::uint64_t paper, std::uint64_t ours) {
  return {std::move(where), std::move(claim), grouped(paper), grouped(ours), holds_if(paper == ours), {}};
}

// Exactly: rounds to the printed number. Approximately: within `tolerance`.
Claim number_claim(std::string where, std::string claim, double paper, int digits, double ours,
                   const std::string& unit, double tolerance) {
  const double unit_of_print = std::pow(10, -digits);
  Verdict verdict = Verdict::no;
  if (std::abs(ours - paper) <= tolerance) verdict = Verdict::approximately;
  if (std::abs(ours - paper) <= unit_of_print / 2 + 1e-9) verdict = Verdict::exactly;
  return {std::move(where),
          std::move(claim),
          fmt::format("{:.{}f}{}", paper, digits, unit),
          fmt::format("{:.{}f}{}", ours, digits, unit),
          verdict,
          {}};
}

double nearest_of(const EventSummary& event, Metric metric) {
  return event.nearest[at(metric)].value_or(NAN);
}
double over_interval(const EventSummary& event, Metric metric) {
  const auto& mean = event.interval[at(metric)];
  return mean ? mean->value : NAN;
}

// Names of events, in ascending order of a value.
template <typename Value>
std::vector<std::string> ordered_by(const std::vector<EventSummary>& events, const Value& value) {
  std::vector<const EventSummary*> sorted;
  for (const EventSummary& event : events) sorted.push_back(&event);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const EventSummary* a, const EventSummary* b) { return value(*a) < value(*b); });
  std::vector<std::string> names;
  for (const EventSummary* event : sorted) names.push_back(event->name);
  return names;
}

void add_counts(const fleet::FleetSummary& all, std::vector<Claim>& claims) {
  claims.push_back(count_claim("1.3.1", "events with START and STOP", 330'200, all.paired));
  claims.push_back(count_claim("Table 1", "hosts", 1024, all.hosts));
  claims.push_back(count_claim("Table 1", "GPUs", 1024, all.gpus));
  claims.push_back(count_claim("Table 1", "distinct event names", 5, all.events.size()));
  claims.push_back(count_claim("Table 1", "jobs", 3, all.jobs));
  claims.push_back(count_claim("Table 1", "tasks", 65'793, all.tasks));
  claims.push_back(
      count_claim("2.3.1", "TotalRender events", 66'040, named(all.events, "TotalRender").count));
}

void add_durations(const fleet::FleetSummary& all, std::vector<Claim>& claims) {
  struct Printed {
    const char* event;
    double ms;
    int digits;
  };
  for (const auto& [event, ms, digits] :
       {Printed{"Saving Config", 2.476, 3}, Printed{"Tiling", 973.21, 2}, Printed{"Uploading", 1393.60, 2},
        Printed{"Render", 41214.83, 2}, Printed{"TotalRender", 42611.35, 2}})
    claims.push_back(number_claim("Figure 2", fmt::format("duration of {}", event), ms, digits,
                                  named(all.events, event).seconds.value * 1e3, " ms", ms / 100));
  struct PrintedLevel {
    const char* level;
    std::uint64_t records;
    double ms;
  };
  for (const auto& [level, records, ms] : {PrintedLevel{"4", 1, 52182}, PrintedLevel{"8", 258, 48497.58},
                                           PrintedLevel{"12", 65'781, 42588.12}}) {
    const EventSummary& ours = named(all.levels, level);
    claims.push_back(
        count_claim("Table 3", fmt::format("records of zoom level {}", level), records, ours.count));
    claims.push_back(number_claim("Figure 4", fmt::format("duration of zoom level {}", level), ms, 2,
                                  ours.seconds.value * 1e3, " ms", ms / 100));
  }
}

void add_nearest(const TeraScopeStudy& study, std::vector<Claim>& claims) {
  const fleet::FleetSummary& all = study.duplicates_counted;
  struct Printed {
    const char* event;
    double watts;
  };
  for (const auto& [event, watts] :
       {Printed{"Saving Config", 36.27}, Printed{"TotalRender", 39.21}, Printed{"Render", 40.45},
        Printed{"Uploading", 43.39}, Printed{"Tiling", 43.61}}) {
    claims.push_back(number_claim("Figure 1", fmt::format("power of {} by the nearest sample", event), watts,
                                  2, nearest_of(named(all.events, event), Metric::power), " W", 0.1));
    if (study.reconstructed)
      claims.back().reason =
          "the samples are reconstructed: they test the pipeline and say nothing about the GPUs";
  }
}

void add_correlations(const TeraScopeStudy& study, std::vector<Claim>& claims) {
  const fleet::FleetSummary& all = study.duplicates_counted;
  struct Printed {
    Metric metric;
    double r;
  };
  for (const auto& [metric, r] : {Printed{Metric::power, 0.323}, Printed{Metric::temperature, -0.193},
                                  Printed{Metric::utilization, 0.879}, Printed{Metric::memory, 0.943}}) {
    claims.push_back(number_claim(
        "Figure 5",
        fmt::format("correlation of {} with render time over GPUs", fleet::kMetricNames[at(metric)]), r, 3,
        all.correlations[at(metric)].pooled.value_or(NAN), "", 0.01));
    if (!study.true_means && study.reconstructed)
      claims.back().reason = "per-gpu-truth.csv is missing: means are those of reconstructed samples";
  }
  const fleet::Populations& groups = all.populations;
  const bool two = groups.groups.size() == 2;
  const auto size_of = [&](std::size_t i) { return two ? groups.groups[i].gpus : 0; };
  const auto seconds_of = [&](std::size_t i) { return two ? groups.groups[i].task_seconds : 0; };
  claims.push_back(count_claim("Figure 5", "GPUs of the faster cluster", 498, size_of(0)));
  claims.push_back(number_claim("Figure 5", "their render time", 40.68, 2, seconds_of(0), " s", 0.1));
  claims.push_back(count_claim("Figure 5", "GPUs of the slower cluster", 526, size_of(1)));
  claims.push_back(number_claim("Figure 5", "their render time", 44.61, 2, seconds_of(1), " s", 0.1));
}

// The same metric by real samples, of which only a few hosts and minutes are public.
std::string by_real_rows(const TeraScopeStudy& study, Metric metric, const char* unit) {
  if (!study.reconstructed) return "";
  if (!study.real_rows) return "; all by reconstructed samples";
  std::string text = fmt::format("; by {} real samples of {} GPUs", grouped(study.real_rows->samples.rows),
                                 study.real_rows->gpus);
  std::string separator = ": ";
  for (const char* event : {"Render", "Uploading", "Tiling", "TotalRender"}) {
    text += fmt::format("{}{} {:.1f}{}", separator, event,
                        over_interval(named(study.real_rows->events, event), metric), unit);
    separator = ", ";
  }
  return text;
}

// Conclusions of the study.
void add_conclusions(const TeraScopeStudy& study, std::vector<Claim>& claims) {
  const fleet::FleetSummary& all = study.duplicates_counted;
  const auto duration = [](const EventSummary& event) { return event.seconds.value; };
  const auto by_nearest = [](const EventSummary& event) { return nearest_of(event, Metric::power); };
  const auto by_interval = [](const EventSummary& event) { return over_interval(event, Metric::power); };
  const EventSummary& task = named(all.events, "TotalRender");
  const std::vector<std::string> shortest_first{"Saving Config", "Tiling", "Uploading", "Render",
                                                "TotalRender"};
  const std::vector<std::string> by_power{"Saving Config", "TotalRender", "Render", "Uploading", "Tiling"};

  claims.push_back({"1.4.2",
                    "in ascending order of duration: Saving Config, Tiling, Uploading, Render, TotalRender",
                    "yes",
                    fmt::format("{}", fmt::join(ordered_by(all.events, duration), ", ")),
                    holds_if(ordered_by(all.events, duration) == shortest_first),
                    {}});
  const auto order = ordered_by(all.events, by_interval);
  claims.push_back(
      {"1.4.1", "in ascending order of power: Saving Config, TotalRender, Render, Uploading, Tiling", "yes",
       fmt::format("{}", fmt::join(order, ", ")), holds_if(order == by_power),
       fmt::format(
           "by the nearest sample, the order is {}; over whole events Render draws {:.1f} W and Tiling "
           "{:.1f} W{}",
           ordered_by(all.events, by_nearest) == by_power ? "that of the study"
                                                          : "not quite that of the study",
           over_interval(named(all.events, "Render"), Metric::power),
           over_interval(named(all.events, "Tiling"), Metric::power),
           by_real_rows(study, Metric::power, " W"))});
  claims.push_back(
      {"1.3.2", "utilization was not collected for most checkpoints", "nearly all 0",
       fmt::format("{:.1f} % over the event", over_interval(task, Metric::utilization)),
       holds_if(over_interval(task, Metric::utilization) < 1),
       fmt::format(
           "{:.2f} % of the samples next to START and STOP show 0, because the work is between them{}",
           100 * task.nearest_idle.value_or(0), by_real_rows(study, Metric::utilization, " %"))});
  claims.push_back({"1.5", "Uploading and Tiling are among the most computationally taxing events", "yes",
                    fmt::format("{:.1f} and {:.1f} % utilization",
                                over_interval(named(all.events, "Uploading"), Metric::utilization),
                                over_interval(named(all.events, "Tiling"), Metric::utilization)),
                    holds_if(over_interval(named(all.events, "Tiling"), Metric::utilization) > 50),
                    "the GPU is idle during these events"});
  claims.push_back(
      {"1.5", "TotalRender, which is the whole task, draws less power than its parts", "yes",
       fmt::format("{:.1f} W, Render {:.1f} W", over_interval(task, Metric::power),
                   over_interval(named(all.events, "Render"), Metric::power)),
       holds_if(by_interval(task) < by_interval(named(all.events, "Uploading"))),
       "its power is the time-weighted mean over its parts, and nearly all of its time is Render"});

  const auto level_power = ordered_by(all.levels, by_interval);
  claims.push_back(
      {"2.4.1", "zoom level 4 draws the lowest power, then 8, then 12", "yes",
       fmt::format("{}", fmt::join(level_power, ", ")),
       holds_if(level_power == std::vector<std::string>{"4", "8", "12"}),
       "levels 4 and 8 ran in the first minute, on GPUs that had been idle, and the samples next to their "
       "STARTs show idle power; level 4 is a single task"});
  auto level_time = ordered_by(all.levels, duration);
  std::reverse(level_time.begin(), level_time.end());
  claims.push_back({"2.4.2",
                    "zoom level 4 takes longest, then 8, then 12",
                    "yes",
                    fmt::format("{}", fmt::join(level_time, ", ")),
                    holds_if(level_time == std::vector<std::string>{"4", "8", "12"}),
                    {}});

  const auto& memory = all.correlations[at(Metric::memory)];
  const auto& used = all.correlations[at(Metric::utilization)];
  claims.push_back({"3.5",
                    "two GPU models were used",
                    "two clusters",
                    fmt::format("separation {:.1f}", all.populations.separation),
                    holds_if(all.populations.clear && all.populations.separation > 2),
                    {}});
  const double within =
      std::max(std::abs(memory.all_within.value_or(0)), std::abs(used.all_within.value_or(0)));
  claims.push_back({"3.5", "higher utilization of GPU and memory correlates with longer rendering",
                    "very strongly",
                    fmt::format("r {:.2f} and {:.2f} within clusters", used.all_within.value_or(0),
                                memory.all_within.value_or(0)),
                    within > 0.8   ? Verdict::exactly
                    : within > 0.2 ? Verdict::approximately
                                   : Verdict::no,
                    "most of the pooled correlation is the difference between the two GPU models"});
  claims.push_back({"3.5", "warmer GPUs render faster", "yes",
                    fmt::format("r {:.2f} within clusters",
                                all.correlations[at(Metric::temperature)].all_within.value_or(0)),
                    holds_if(all.correlations[at(Metric::temperature)].all_within.value_or(0) < -0.1),
                    "the faster model is the warmer one; within a model there is no correlation"});
}

}  // namespace

std::vector<Claim> terascope_claims(const TeraScopeStudy& study) {
  std::vector<Claim> claims;
  add_counts(study.duplicates_counted, claims);
  add_durations(study.duplicates_counted, claims);
  add_nearest(study, claims);
  add_correlations(study, claims);
  add_conclusions(study, claims);
  return claims;
}

}  // namespace ergon::reproduce
