#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/topology.h"
#include "systolic/geometry.h"
#include "systolic/layer_run.h"
#include "systolic/miss_schedule.h"
#include "systolic/replay.h"

namespace ergon::systolic {

// A layer that an array can run.
struct Layer {
  std::string name;
  Geometry geometry;
};

// The layers of a topology. SCALE-Sim reads a convolution whose name holds "DP" as one layer of one channel
// for each of its channels; so does this with `split_dp`.
Result<std::vector<Layer>> layers_of(const graph::Topology& topology, bool split_dp);

// What feeds the scratchpads.
struct MemoryPort {
  bool calculated = false;   // as much bandwidth as it takes; nothing else counts then
  PortWords ports;           // words a cycle that each operand has to itself (not Semantics::ergon)
  double channel_words = 0;  // words a cycle of the one channel (Semantics::ergon)

  static MemoryPort as_needed() { return {.calculated = true}; }
  // The same bandwidth in either reading; only whole words count where every operand has its own port.
  static MemoryPort of(double words_per_cycle);
};

// Schedules by layer and machine, so that every further memory or clock costs a replay only, and equal layers
// of a network are traced once. May be used from several threads.
class ScheduleCache {
 public:
  template <typename Schedule>
  using Shared = Result<std::shared_ptr<const Schedule>>;

  Shared<MissSchedule> misses(const Geometry& geometry, const Machine& machine,
                              const std::stop_token& stop = {});
  Shared<EpochSchedule> epochs(const Geometry& geometry, const Machine& machine,
                               const std::stop_token& stop = {});

  std::size_t traced() const;

 private:
  template <typename Schedule>
  using Map = std::map<std::pair<Geometry, Machine>, std::shared_ptr<const Schedule>>;

  mutable std::mutex mutex_;
  Map<MissSchedule> misses_;
  Map<EpochSchedule> epochs_;
};

// Contract: the machine has been checked, the port has at least one word a cycle (a positive number in
// Semantics::ergon).
Result<LayerRun> simulate_layer(const Layer& layer, const Machine& machine, const MemoryPort& port,
                                Semantics semantics, ScheduleCache& cache, const std::stop_token& stop = {});

// All layers, on `workers` threads (0: as many as there are). Fails as cancelled when asked to stop.
Result<std::vector<LayerRun>> simulate(std::span<const Layer> layers, const Machine& machine,
                                       const MemoryPort& port, Semantics semantics, ScheduleCache& cache,
                                       std::size_t workers = 0, const std::stop_token& stop = {});

}  // namespace ergon::systolic
