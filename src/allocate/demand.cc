#include "allocate/demand.h"

#include <algorithm>

#include "systolic/run_totals.h"
#include "systolic/simulate.h"

namespace ergon::allocate {
namespace {

double required_words(const systolic::Geometry& g, std::int64_t cycles) {
  const std::int64_t words =
      g.input_height * g.input_width * g.channels + g.taps * g.filters + g.positions * g.filters;
  return static_cast<double>(words) / static_cast<double>(cycles);
}

LayerBound bound_of(const LayerDemand& demand, const Hardware& hardware) {
  if (demand.stall_cycles > 0) return LayerBound::memory;
  return words_at_least(hardware, demand.required_words) < hardware.words_per_cycle ? LayerBound::compute
                                                                                    : LayerBound::balanced;
}

}  // namespace

std::string_view name_of(LayerBound bound) {
  switch (bound) {
    case LayerBound::memory:
      return "memory";
    case LayerBound::compute:
      return "compute";
    case LayerBound::balanced:
      return "balanced";
  }
  return "?";
}

Result<std::vector<LayerDemand>> demands_of(std::span<const systolic::Layer> layers, const Hardware& hardware,
                                            systolic::ScheduleCache& cache, const std::stop_token& stop) {
  if (layers.empty()) {
    return fail(Errc::invalid_input, "no layer runs on an array: expected convolutions or matrix products");
  }
  const auto runs =
      systolic::simulate(layers, hardware.machine, hardware.full_port(), hardware.semantics, cache, 0, stop);
  if (!runs) return runs.error();
  std::vector<LayerDemand> demands;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const systolic::LayerTiming& timing = (*runs)[i].timing;
    const auto schedule = cache.misses(layers[i].geometry, hardware.machine, stop);
    if (!schedule) return schedule.error();
    LayerDemand demand{
        .name = layers[i].name,
        .total_cycles = timing.total_cycles,
        .stall_cycles = std::max<std::int64_t>(0, timing.stall_cycles),
        .memory_words = timing.dram_ifmap.words + timing.dram_filter.words + timing.dram_ofmap.words,
        .required_words = required_words(layers[i].geometry, timing.total_cycles),
        .schedule = *schedule};
    demand.bound = bound_of(demand, hardware);
    demands.push_back(std::move(demand));
  }
  return demands;
}

Seconds race_to_idle_time(std::span<const LayerDemand> demands, Hertz clock) {
  Seconds time;
  for (const LayerDemand& demand : demands) time += systolic::duration(demand.total_cycles, clock);
  return time;
}

}  // namespace ergon::allocate
