#include "report/fleet_json.h"

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using fleet::kMetricNames;
using fleet::kMetrics;

// Names of metrics with their units.
constexpr std::array<const char*, kMetrics> kMetricFields{"power_watts", "temperature_celsius", "utilization",
                                                          "memory"};

Json row_counts_json(const fleet::RowCounts& counts) {
  Json json{{"rows", counts.rows},
            {"malformed", counts.malformed},
            {"bad_time", counts.bad_time},
            {"bad_type", counts.bad_type},
            {"nameless", counts.nameless},
            {"cut_off", counts.cut_off},
            {"without_zone", counts.without_zone}};
  Json absent = Json::object(), out_of_range = Json::object();
  for (std::size_t m = 0; m < kMetrics; ++m) {
    absent[kMetricNames[m]] = counts.not_available[m];
    out_of_range[kMetricNames[m]] = counts.out_of_range[m];
  }
  json["not_available"] = std::move(absent);
  json["absurd"] = std::move(out_of_range);
  return json;
}

Json counts_json(const fleet::FleetSummary& summary) {
  const fleet::UnpairedCounts& unpaired = summary.unpaired;
  return {{"checkpoints", summary.checkpoints.rows},
          {"gpu_rows", summary.samples.rows},
          {"duplicates", summary.duplicates},
          {"duplicate_samples", summary.duplicate_samples},
          {"paired", summary.paired},
          {"unpaired", unpaired.rows()},
          {"unpaired_reasons",
           {{"start_missing", unpaired.start_missing},
            {"stop_missing", unpaired.stop_missing},
            {"still_running", unpaired.still_running},
            {"crosses_hosts", unpaired.cross_hosts}}},
          {"tasks", summary.tasks},
          {"hosts", summary.hosts},
          {"gpus", summary.gpus},
          {"events", summary.events.size()},
          {"jobs", summary.jobs},
          {"checkpoint_rows", row_counts_json(summary.checkpoints)},
          {"sample_rows", row_counts_json(summary.samples)}};
}

// Integer levels are written as numbers.
Json level_json(const std::string& level) {
  const auto number = parse_int64(level);
  return number && std::to_string(*number) == level ? Json(*number) : Json(level);
}

Json event_json(const fleet::EventSummary& event, const char* name) {
  // Rounded to picoseconds, to remove the rounding errors of the unit conversion.
  const auto ms = [](double seconds) { return std::round(seconds * 1e12) / 1e9; };
  Json json{{name, std::string_view(name) == "level" ? level_json(event.name) : Json(event.name)},
            {"n", event.count},
            {"duration_ms",
             {{"mean", ms(event.seconds.value)},
              {"low", ms(event.seconds.low)},
              {"high", ms(event.seconds.high)},
              {"p50", ms(event.seconds_p50)},
              {"p95", ms(event.seconds_p95)},
              {"p99", ms(event.seconds_p99)},
              {"min", ms(event.seconds_min)},
              {"max", ms(event.seconds_max)}}}};
  Json nearest = Json::object(), interval = Json::object(), low = Json::object(), high = Json::object();
  for (std::size_t m = 0; m < kMetrics; ++m) {
    nearest[kMetricFields[m]] = or_null(event.nearest[m]);
    const auto& mean = event.interval[m];
    interval[kMetricFields[m]] = mean ? Json(mean->value) : Json(nullptr);
    low[kMetricFields[m]] = mean ? Json(mean->low) : Json(nullptr);
    high[kMetricFields[m]] = mean ? Json(mean->high) : Json(nullptr);
  }
  nearest["share_without_utilization"] = or_null(event.nearest_idle);
  interval["energy_joules"] = or_null(event.energy_each);
  interval["low"] = low;
  interval["high"] = high;
  interval["power_watts_p50"] = or_null(event.watts_p50);
  interval["power_watts_p95"] = or_null(event.watts_p95);
  interval["energy_joules_p50"] = or_null(event.joules_p50);
  interval["energy_joules_p95"] = or_null(event.joules_p95);
  interval["energy_total_joules"] = event.energy.si();
  interval["energy_total_sigma_joules"] = event.energy_sigma.si();
  interval["own_energy_total_joules"] = event.exclusive_energy.si();
  interval["own_seconds_total"] = event.exclusive_time.si();
  interval["between_samples"] = event.between_samples;
  interval["without_samples"] = event.uncovered;
  interval["partly_sampled"] = event.part_covered;
  interval["indivisible"] = event.indivisible;
  json["nearest"] = nearest;
  json["interval"] = interval;
  return json;
}

Json gpu_json(const fleet::GpuSummary& gpu) {
  Json json{{"host", gpu.host}, {"uuid", gpu.uuid}, {"serial", gpu.serial}, {"samples", gpu.samples}};
  for (std::size_t m = 0; m < kMetrics; ++m) json[kMetricFields[m]] = or_null(gpu.mean[m]);
  json["render_seconds"] = or_null(gpu.task_seconds);
  json["tasks"] = gpu.tasks;
  json["energy_joules"] = gpu.total.energy.si();
  json["attributed_joules"] = gpu.events.energy.si();
  json["idle_joules"] = gpu.idle.energy.si();
  json["unattributed_joules"] = gpu.unattributed.energy.si();
  json["seconds"] = gpu.total.time.si();
  json["idle_seconds"] = gpu.idle.time.si();
  json["cluster"] = gpu.population ? Json(*gpu.population) : Json(nullptr);
  return json;
}

Json gpus_json(const fleet::FleetSummary& summary, bool list) {
  Json correlations = Json::object();
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const fleet::TaskCorrelation& each = summary.correlations[m];
    Json within = Json::array();
    for (const auto& r : each.within) within.push_back(or_null(r));
    Json interval = nullptr;
    if (each.pooled_interval)
      interval = {{"low", each.pooled_interval->low}, {"high", each.pooled_interval->high}};
    correlations[kMetricNames[m]] = {{"pooled", or_null(each.pooled)},
                                     {"pooled_interval", interval},
                                     {"within", within},
                                     {"all_within", or_null(each.all_within)}};
  }
  Json json{{"n", summary.gpu_list.size()},
            {"sample_period_seconds", summary.sample_period.si()},
            {"correlations", correlations}};
  if (!list) return json;
  Json gpus = Json::array();
  for (const fleet::GpuSummary& gpu : summary.gpu_list) gpus.push_back(gpu_json(gpu));
  json["list"] = std::move(gpus);
  return json;
}

Json host_json(const fleet::HostSummary& host) {
  Json change = nullptr;
  if (host.change)
    change = {{"at", to_text(host.change->at)},
              {"before_seconds", host.change->before_seconds},
              {"after_seconds", host.change->after_seconds},
              {"strength", host.change->strength}};
  return {
      {"name", host.name},
      {"tasks", host.tasks},
      {"events", host.events},
      {"gpus", host.gpus},
      {"duplicates", host.duplicates},
      {"task_seconds",
       {{"mean", host.task_seconds.value}, {"low", host.task_seconds.low}, {"high", host.task_seconds.high}}},
      {"power_watts", or_null(host.mean[0])},
      {"temperature_celsius", or_null(host.mean[1])},
      {"utilization", or_null(host.mean[2])},
      {"memory", or_null(host.mean[3])},
      {"energy_joules", host.energy.si()},
      {"attributed_joules", host.attributed_energy.si()},
      {"idle_joules", host.idle_energy.si()},
      {"unattributed_joules", host.unattributed_energy.si()},
      {"gpu_seconds", host.gpu_time.si()},
      {"idle_seconds", host.idle_time.si()},
      {"unattributed_seconds", host.unattributed_time.si()},
      {"z", or_null(host.z)},
      {"change", change},
      {"skew_seconds", or_null(host.skew)},
      {"skew_unclear", host.skew_unclear}};
}

Json energy_json(const fleet::EnergySummary& energy, const Prices& prices) {
  const auto spent = [](const fleet::EnergyTime& each) {
    return Json{{"joules", each.energy.si()}, {"seconds", each.time.si()}};
  };
  Json json{{"total_joules", energy.total.si()},
            {"attributed_joules", energy.attributed.si()},
            {"idle_joules", energy.idle_energy.si()},
            {"gpu_seconds", energy.gpu_time.si()},
            {"idle_seconds", energy.idle_time.si()},
            {"idle_before", spent(energy.idle_before)},
            {"idle_between", spent(energy.idle_between)},
            {"idle_after", spent(energy.idle_after)},
            {"unattributed_joules", energy.unattributed.energy.si()},
            {"unattributed_seconds", energy.unattributed.time.si()},
            {"indivisible_joules", energy.indivisible.si()},
            {"events_own_joules", energy.exclusive_energy.si()}};
  if (const auto price = prices.of_energy(energy.total)) {
    json["price"] = *price;
    json["idle_price"] = *prices.of_energy(energy.idle_energy);
  }
  if (const auto grams = prices.carbon_grams(energy.total)) {
    json["carbon_grams"] = *grams;
    json["idle_carbon_grams"] = *prices.carbon_grams(energy.idle_energy);
  }
  return json;
}

Json finding_json(const fleet::Finding& finding, const fleet::EnergySummary& energy, const Prices& prices) {
  Json json{{"id", finding.id},
            {"about", finding.about_data ? "data" : "fleet"},
            {"title", finding.title},
            {"detail", finding.detail},
            {"saving_joules", or_null(finding.saving_energy)},
            {"saving_share", nullptr},
            {"saving_seconds", or_null(finding.saving_time)}};
  if (!finding.saving_energy) return json;
  if (energy.total.si() > 0) json["saving_share"] = finding.saving_energy->si() / energy.total.si();
  if (const auto price = prices.of_energy(*finding.saving_energy)) json["saving_price"] = *price;
  if (const auto grams = prices.carbon_grams(*finding.saving_energy)) json["saving_carbon_grams"] = *grams;
  return json;
}

Json straggler_json(const fleet::Straggler& each) {
  return {{"task", each.event.task},
          {"host", each.event.host},
          {"level", level_json(each.event.level)},
          {"start", to_text(each.event.start)},
          {"seconds", static_cast<double>(each.event.duration_ns) / 1e9},
          {"times_median", each.times_median},
          {"energy_joules", or_null(each.event.energy)}};
}

Json long_task_json(const fleet::LongTask& each) {
  Json json = straggler_json({each.event, 0});
  json["times_median"] = or_null(each.times_median);
  json["straggler"] = each.straggler;
  return json;
}

Json over_time_json(const fleet::FleetOverTime& over_time) {
  Json rows = Json::array();
  for (const fleet::FleetOverTime::Row& row : over_time.rows)
    rows.push_back({{"start", to_text(row.start)},
                    {"gpus", row.gpus},
                    {"power_watts", or_null(row.watts)},
                    {"utilization", or_null(row.percent)}});
  return {{"bin_seconds", over_time.bin.si()}, {"rows", std::move(rows)}};
}

// Rounded to tenths, which makes the text a third as long.
Json cells_json(const std::vector<std::vector<std::optional<double>>>& rows) {
  Json json = Json::array();
  for (const auto& row : rows) {
    Json cells = Json::array();
    for (const auto& cell : row) cells.push_back(cell ? Json(std::round(*cell * 10) / 10) : Json(nullptr));
    json.push_back(std::move(cells));
  }
  return json;
}

Json heat_map_json(const fleet::HeatMap& map) {
  return {{"start", to_text(map.start)},
          {"bin_seconds", map.bin.si()},
          {"hosts", map.hosts},
          {"hosts_omitted", map.hosts_omitted},
          {"power_watts", cells_json(map.watts)},
          {"utilization", cells_json(map.percent)}};
}

}  // namespace

Json fleet_json(const fleet::FleetSummary& summary, const Prices& prices, const FleetParts& parts) {
  Json json{{"rules",
             {{"keep_duplicates", summary.rules.keep_duplicates},
              {"gap_seconds", summary.rules.gap.si()},
              {"max_event_seconds", summary.rules.max_event.si()}}},
            {"counts", counts_json(summary)},
            {"outermost_event", summary.outermost}};
  const auto list_of = [](const auto& rows, const auto& json_of) {
    Json list = Json::array();
    for (const auto& row : rows) list.push_back(json_of(row));
    return list;
  };
  json["events"] = list_of(summary.events, [](const auto& event) { return event_json(event, "name"); });
  json["levels"] = list_of(summary.levels, [](const auto& level) { return event_json(level, "level"); });
  json["gpus"] = gpus_json(summary, parts.gpus);
  Json clusters = Json::array();
  const fleet::Populations& all = summary.populations;
  if (all.clear) {
    for (const fleet::Population& each : all.groups)
      clusters.push_back({{"n", each.gpus},
                          {"render_seconds", each.task_seconds},
                          {"separation", all.separation},
                          {"split_by", all.split_by},
                          {"split_mean", each.split_mean},
                          {"split_separation", all.split_separation},
                          {"bic_advantage", all.bic_advantage}});
  }
  json["clusters"] = std::move(clusters);
  json["energy"] = energy_json(summary.energy, prices);
  json["findings"] = list_of(summary.findings, [&](const fleet::Finding& finding) {
    return finding_json(finding, summary.energy, prices);
  });
  json["stragglers"] = list_of(summary.stragglers, straggler_json);
  if (parts.hosts) json["hosts"] = list_of(summary.host_list, host_json);
  if (parts.tasks) json["tasks"] = list_of(summary.longest_tasks, long_task_json);
  if (parts.time) {
    json["over_time"] = over_time_json(summary.over_time);
    json["heat_map"] = heat_map_json(summary.heat_map);
  }
  return json;
}

}  // namespace ergon::report
