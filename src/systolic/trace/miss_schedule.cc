#include "systolic/trace/miss_schedule.h"

#include <string_view>
#include <utility>

namespace ergon::systolic {
namespace {

// A longer trace would take minutes; only tiny arrays reach this limit.
constexpr std::int64_t kMaxFolds = std::int64_t{1} << 31;

Result<LayerPlan> plan_layer(const Geometry& geometry, const Machine& machine) {
  const auto mapping = map_layer(geometry, machine.array, machine.dataflow);
  if (!mapping) return mapping.error();
  if (mapping->folds() > kMaxFolds) {
    return fail(Errc::unsupported, "a layer in {} folds of a {} x {} array; at most {} are traced",
                mapping->folds(), machine.array.rows, machine.array.columns, kMaxFolds);
  }
  return LayerPlan{geometry, machine, *mapping, OutputPattern(*mapping),
                   scratchpad_traffic(geometry, *mapping)};
}

ReadSchedule read_schedule(const ReadDemand& demand, std::int64_t scratchpad_words,
                           const std::stop_token& stop) {
  const PrefetchPlan plan(scratchpad_words, demand.stream());
  return {plan, walk_window(demand, plan, stop), demand.first_request(), demand.last_request()};
}

EpochReads epoch_reads(const ReadDemand& demand, std::int64_t scratchpad_words, const std::stop_token& stop) {
  const EpochPlan plan(scratchpad_words);
  return {plan, walk_epochs(demand, plan, stop), demand.first_request(), demand.last_request()};
}

}  // namespace

Result<MissSchedule> trace_misses(const Geometry& g, const Machine& machine, const std::stop_token& stop) {
  const auto plan = plan_layer(g, machine);
  if (!plan) return plan.error();
  const Mapping& mapping = plan->mapping;
  MissSchedule schedule{{*plan},
                        read_schedule(ReadDemand::of_ifmap(g, mapping), machine.scratchpads.ifmap, stop),
                        read_schedule(ReadDemand::of_filter(g, mapping), machine.scratchpads.filter, stop)};
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  for (const auto& [name, reads] :
       {std::pair("ifmap", &schedule.ifmap), std::pair("filter", &schedule.filter)}) {
    if (reads->misses.size() <= kMaxMisses) continue;
    return fail(Errc::unsupported,
                "the {} scratchpad of {} words is missed more than {} times; it is too small for this layer",
                name,
                name == std::string_view("ifmap") ? machine.scratchpads.ifmap : machine.scratchpads.filter,
                kMaxMisses);
  }
  return schedule;
}

Result<EpochSchedule> trace_epochs(const Geometry& g, const Machine& machine, const std::stop_token& stop) {
  const auto plan = plan_layer(g, machine);
  if (!plan) return plan.error();
  const Mapping& mapping = plan->mapping;
  EpochSchedule schedule{{*plan},
                         epoch_reads(ReadDemand::of_ifmap(g, mapping), machine.scratchpads.ifmap, stop),
                         epoch_reads(ReadDemand::of_filter(g, mapping), machine.scratchpads.filter, stop)};
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  return schedule;
}

}  // namespace ergon::systolic
