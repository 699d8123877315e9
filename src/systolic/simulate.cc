#include "systolic/simulate.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "systolic/replay/replay.h"
#include "systolic/replay/shared_channel.h"

namespace ergon::systolic {
namespace {

// True if words and cycles stay exact, including sums over a thousand layers.
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
  constexpr double kMost = 9e15;  // integers up to here are exact as doubles
  return words / rate + 2 * static_cast<double>(schedule.mapping.lines()) < kMost;
}

Error without_cycles() {
  return fail(
      Errc::unsupported,
      "SCALE-Sim divides by zero here: it counts one line as no cycle; --semantics ergon has an answer");
}

}  // namespace

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
  run.compute_utilization = compute_utilization(mapping, own || outputs_stay ? 0 : machine.array.columns - 1);
  return run;
}

Result<std::vector<LayerRun>> simulate(std::span<const Layer> layers, const Machine& machine,
                                       const MemoryPort& port, Semantics semantics, ScheduleCache& cache,
                                       std::size_t workers, const std::stop_token& stop) {
  // Equal layers have equal results except for their names.
  std::map<Geometry, std::size_t> known;
  std::vector<std::size_t> task_of, layer_of;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto [position, added] = known.try_emplace(layers[i].geometry, layer_of.size());
    if (added) layer_of.push_back(i);
    task_of.push_back(position->second);
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

PacedTiming run_at_pace(const MissSchedule& schedule, const MemoryPort& port, Semantics semantics,
                        const Pace& pace) {
  return semantics == Semantics::ergon ? share_channel(schedule, port.channel_words, pace)
                                       : replay(schedule, port.ports, semantics, pace);
}

}  // namespace ergon::systolic
