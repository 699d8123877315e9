#include "report/fleet_part.h"

#include <nlohmann/json.hpp>

#include "report/fleet_part_numbers.h"
#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
  Json list = Json::array();
  template <Dimension D>
  void operator()(const Quantity<D>& quantity) {
    list.push_back(quantity.si());
  }
  template <typename Number>
  void operator()(const Number& number) {
    list.push_back(number);
  }
};

Json sketch_json(const statistics::QuantileSketch& sketch) {
  Json buckets = Json::array();
  for (const auto& [bucket, count] : sketch.buckets()) buckets.push_back({bucket, count});
  return {{"zeros", sketch.zeros()}, {"buckets", buckets}};
}

Json distribution_json(const fleet::EventDistribution& distribution) {
  Json json = Json::object();
  if (distribution.durations_ns.sketch()) {
    json["duration_sketch"] = sketch_json(*distribution.durations_ns.sketch());
  } else {
    Json counts = Json::array();
    for (const auto& [value, times] : distribution.durations_ns.counts()) counts.push_back({value, times});
    json["durations"] = std::move(counts);
  }
  json["watts"] = sketch_json(distribution.power);
  json["joules"] = sketch_json(distribution.energy);
  return json;
}

Json host_part_json(const fleet::HostTally& host) {
  Json event_totals = Json::array(), gpus = Json::array(), changes = Json::array(),
       unpaired_checkpoints = Json::array();
  for (const auto& [key, totals] : host.event_totals) {
    ToJson numbers;
    visit_event_totals(totals, numbers);
    event_totals.push_back({key.first, key.second, std::move(numbers.list)});
  }
  for (const fleet::GpuTally& gpu : host.gpus) {
    ToJson numbers;
    visit_gpu(gpu.sums, numbers);
    visit_activity(gpu.activity, numbers);
    visit_history(gpu.history, numbers);
    gpus.push_back({gpu.uuid, gpu.serial, gpu.has_uuid, std::move(numbers.list)});
  }
  for (const auto& [event, change] : host.changes)
    changes.push_back({event, change.at.ns, change.before_seconds, change.after_seconds, change.strength});
  for (const fleet::UnpairedRecord& each : host.unpaired_checkpoints)
    unpaired_checkpoints.push_back(
        {each.event, each.row.at.ns, each.row.task, each.row.start, each.row.running});
  return {{"cells", std::move(event_totals)},
          {"gpus", std::move(gpus)},
          {"changes", std::move(changes)},
          {"leftovers", std::move(unpaired_checkpoints)},
          {"duplicates", host.duplicates}};
}

}  // namespace

Json fleet_part_json(const fleet::Tally& tally) {
  ToJson checkpoints, samples;
  visit_counts(tally.checkpoints, checkpoints);
  visit_counts(tally.samples, samples);
  Json json{{"rules",
             {{"keep_duplicates", tally.rules.keep_duplicates},
              {"gap_seconds", tally.rules.gap.si()},
              {"longest_event_seconds", tally.rules.max_event.si()}}},
            {"checkpoints", checkpoints.list},
            {"samples", samples.list},
            {"simulated", tally.simulated},
            {"jobs", tally.jobs},
            {"tasks", tally.tasks}};
  Json hosts = Json::array(), distributions = Json::array(), longest = Json::array();
  for (const auto& [name, host] : tally.hosts) hosts.push_back({name, host_part_json(host)});
  for (const auto& [key, distribution] : tally.distributions)
    distributions.push_back({key.first, key.second, distribution_json(distribution)});
  for (const fleet::LongEventRecord& each : tally.longest)
    longest.push_back({each.event, each.level, each.host, each.task, each.task_hash, each.start.ns,
                       each.duration_ns, or_null(each.energy)});
  json["hosts"] = std::move(hosts);
  json["spreads"] = std::move(distributions);
  json["longest"] = std::move(longest);
  return json;
}

}  // namespace ergon::report
