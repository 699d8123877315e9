#include "systolic/simulate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "systolic/shared_channel.h"

namespace ergon::systolic {
namespace {

Result<> add_layer(std::vector<Layer>& layers, const graph::TopologyConv& row) {
  const auto geometry = geometry_of(row);
  if (!geometry) return geometry.error();
  layers.push_back({row.name, *geometry});
  return {};
}

// Finds a schedule, or traces it without keeping others from theirs.
template <typename Map, typename Trace>
auto find_or_trace(std::mutex& mutex, Map& known, const Geometry& geometry, const Machine& machine,
                   const std::stop_token& stop, const Trace& trace) -> Result<typename Map::mapped_type> {
  const std::pair key(geometry, machine);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  auto traced = trace(geometry, machine, stop);
  if (!traced) return traced.error();
  using Schedule = typename Map::mapped_type::element_type;
  const std::lock_guard lock(mutex);
  const auto place = known.try_emplace(key, std::make_shared<Schedule>(std::move(*traced))).first;
  return place->second;
}

// Whether words and cycles stay exact, sums of a thousand layers included.
bool is_countable(const MissSchedule& schedule, const MemoryPort& port, Semantics semantics) {
  const bool own = semantics == Semantics::ergon;
  const auto fetched = [&](const ReadSchedule& reads, std::int64_t port_words) {
    const auto piece = static_cast<double>(reads.plan.prefetched_words + reads.plan.set_words) +
                       (own ? 0.0 : static_cast<double>(port_words));
    return static_cast<double>(reads.misses.moves() + 1) * piece +
           static_cast<double>(reads.plan.active_words);
  };
  const double words = fetched(schedule.ifmap, port.ports.ifmap) +
                       fetched(schedule.filter, port.ports.filter) +
                       2 * static_cast<double>(schedule.outputs.total());
  const double rate = own ? std::min(1.0, port.channel_words) : 1.0;
  constexpr double kMost = 9e15;  // whole numbers up to here are exact as doubles too
  return words / rate + 2 * static_cast<double>(schedule.mapping.lines()) < kMost;
}

Error without_cycles() {
  return fail(
      Errc::unsupported,
      "SCALE-Sim divides by zero here: it counts one line as no cycle; --semantics ergon has an answer");
}

}  // namespace

Result<std::vector<Layer>> layers_of(const graph::Topology& topology, bool split_dp) {
  constexpr std::int64_t kMostChannels = 100'000;
  std::vector<Layer> layers;
  for (const graph::TopologyConv& row : topology.convolutions) {
    if (!split_dp || row.name.find("DP") == std::string::npos) {
      if (const auto added = add_layer(layers, row); !added) return added.error();
      continue;
    }
    if (row.channels > kMostChannels) {
      return fail(
          Errc::invalid_input,
          "layer \"{}\": its name holds DP, which makes it {} layers of one channel; at most {} are read",
          printable(row.name), row.channels, kMostChannels);
    }
    for (std::int64_t channel = 0; channel < row.channels; ++channel) {
      graph::TopologyConv one = row;
      one.name = fmt::format("{}Channel_{}", row.name, channel);
      one.channels = 1;
      if (const auto added = add_layer(layers, one); !added) return added.error();
    }
  }
  for (const graph::TopologyGemm& row : topology.products) {
    if (const auto added = add_layer(layers, as_convolution(row)); !added) return added.error();
  }
  return layers;
}

MemoryPort MemoryPort::of(double words_per_cycle) {
  const double whole = std::clamp(std::floor(words_per_cycle), 0.0, 1e15);
  return {false, PortWords::all(static_cast<std::int64_t>(whole)), words_per_cycle};
}

ScheduleCache::Shared<MissSchedule> ScheduleCache::misses(const Geometry& geometry, const Machine& machine,
                                                          const std::stop_token& stop) {
  return find_or_trace(mutex_, misses_, geometry, machine, stop, trace_misses);
}

ScheduleCache::Shared<EpochSchedule> ScheduleCache::epochs(const Geometry& geometry, const Machine& machine,
                                                           const std::stop_token& stop) {
  return find_or_trace(mutex_, epochs_, geometry, machine, stop, trace_epochs);
}

std::size_t ScheduleCache::traced() const {
  const std::lock_guard lock(mutex_);
  return misses_.size() + epochs_.size();
}

Result<LayerRun> simulate_layer(const Layer& layer, const Machine& machine, const MemoryPort& port,
                                Semantics semantics, ScheduleCache& cache, const std::stop_token& stop) {
  const auto in_layer = [&](const Error& error) {
    return error.kind == Errc::cancelled ? error
                                         : error.in(fmt::format("layer \"{}\"", printable(layer.name)));
  };
  const bool own = semantics == Semantics::ergon;
  LayerRun run{.name = layer.name, .macs = layer.geometry.macs(), .units = machine.array.units()};
  Mapping mapping;
  if (port.calculated) {
    const auto schedule = cache.epochs(layer.geometry, machine, stop);
    if (!schedule) return in_layer(schedule.error());
    mapping = (*schedule)->mapping;
    const Result<LayerTiming> timing = own ? share_channel(**schedule) : replay(**schedule, semantics);
    if (!timing) return in_layer(timing.error());
    run.timing = *timing;
  } else {
    const auto schedule = cache.misses(layer.geometry, machine, stop);
    if (!schedule) return in_layer(schedule.error());
    mapping = (*schedule)->mapping;
    if (!is_countable(**schedule, port, semantics)) {
      return in_layer(
          fail(Errc::unsupported, "it moves more words, or takes more cycles, than can be counted"));
    }
    run.timing =
        own ? share_channel(**schedule, port.channel_words) : replay(**schedule, port.ports, semantics);
  }
  if (run.timing.total_cycles == 0) return in_layer(without_cycles());
  run.mapping_efficiency = mapping_efficiency(mapping);
  const bool outputs_stay = machine.dataflow == Dataflow::output_stationary;
  run.compute_utilisation = compute_utilisation(mapping, own || outputs_stay ? 0 : machine.array.columns - 1);
  return run;
}

Result<std::vector<LayerRun>> simulate(std::span<const Layer> layers, const Machine& machine,
                                       const MemoryPort& port, Semantics semantics, ScheduleCache& cache,
                                       std::size_t workers, const std::stop_token& stop) {
  // Equal layers have equal answers but for their names.
  std::map<Geometry, std::size_t> known;
  std::vector<std::size_t> task_of, layer_of;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto [place, added] = known.try_emplace(layers[i].geometry, layer_of.size());
    if (added) layer_of.push_back(i);
    task_of.push_back(place->second);
  }
  std::vector<std::optional<Result<LayerRun>>> answers(layer_of.size());
  parallel_for(answers.size(), worker_count(workers, answers.size()), [&](std::size_t task, std::size_t) {
    if (stop.stop_requested()) return;
    answers[task] = simulate_layer(layers[layer_of[task]], machine, port, semantics, cache, stop);
  });
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  std::vector<LayerRun> runs;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Result<LayerRun>& answer = *answers[task_of[i]];
    if (!answer) return answer.error();
    runs.push_back(*answer);
    runs.back().name = layers[i].name;
  }
  return runs;
}

}  // namespace ergon::systolic
