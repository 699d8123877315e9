#include "systolic/miss_schedule.h"

namespace ergon::systolic {
namespace {

// Beyond this a trace would take minutes, and only a toy array meets it.
constexpr std::int64_t kMostFolds = std::int64_t{1} << 31;

Result<Mapping> mapping_of(const Geometry& geometry, const Machine& machine) {
  auto mapping = map_layer(geometry, machine.array, machine.dataflow);
  if (mapping && mapping->folds() > kMostFolds) {
    return fail(Errc::unsupported, "a layer in {} folds of a {} x {} array; at most {} are traced",
                mapping->folds(), machine.array.rows, machine.array.columns, kMostFolds);
  }
  return mapping;
}

ReadSchedule read_schedule(const ReadDemand& demand, std::int64_t scratchpad_words) {
  const PrefetchPlan plan(scratchpad_words, demand.stream());
  return {plan, walk_window(demand, plan), demand.first_request(), demand.last_request()};
}

EpochReads epoch_reads(const ReadDemand& demand, std::int64_t scratchpad_words) {
  const EpochPlan plan(scratchpad_words);
  return {plan, walk_epochs(demand, plan), demand.first_request(), demand.last_request()};
}

}  // namespace

Result<MissSchedule> trace_misses(const Geometry& g, const Machine& machine) {
  const auto mapping = mapping_of(g, machine);
  if (!mapping) return mapping.error();
  return MissSchedule{g,
                      machine,
                      *mapping,
                      OutputPattern(*mapping),
                      scratchpad_traffic(g, *mapping),
                      read_schedule(ReadDemand::of_ifmap(g, *mapping), machine.scratchpads.ifmap),
                      read_schedule(ReadDemand::of_filter(g, *mapping), machine.scratchpads.filter)};
}

Result<EpochSchedule> trace_epochs(const Geometry& g, const Machine& machine) {
  const auto mapping = mapping_of(g, machine);
  if (!mapping) return mapping.error();
  return EpochSchedule{g,
                       machine,
                       *mapping,
                       OutputPattern(*mapping),
                       scratchpad_traffic(g, *mapping),
                       epoch_reads(ReadDemand::of_ifmap(g, *mapping), machine.scratchpads.ifmap),
                       epoch_reads(ReadDemand::of_filter(g, *mapping), machine.scratchpads.filter)};
}

}  // namespace ergon::systolic
