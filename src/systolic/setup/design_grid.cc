#include "systolic/setup/design_grid.h"

#include <algorithm>

#include <fmt/format.h>

#include "systolic/simulate.h"

namespace ergon::systolic {
namespace {

// The given values, or one absent value that keeps the accelerator's.
template <typename T>
std::vector<std::optional<T>> or_absent(const std::vector<T>& given) {
  if (given.empty()) return {std::nullopt};
  return {given.begin(), given.end()};
}

// "64x64 os 1024/2048/1024 lpddr4": the values that the grid sets.
std::string combination_text(const SetupRequest& request) {
  std::vector<std::string> parts;
  if (request.array) parts.push_back(to_text(*request.array));
  if (request.dataflow) parts.emplace_back(name_of(*request.dataflow));
  if (request.scratchpads) parts.push_back(to_text(*request.scratchpads));
  if (request.bandwidth) parts.push_back(request.bandwidth->text);
  if (request.memory) parts.push_back(*request.memory);
  return fmt::format("{}", fmt::join(parts, " "));
}

Result<> add_setup(const SetupRequest& request, std::vector<Setup>& setups) {
  auto setup = resolve(request);
  if (!setup) {
    const std::string where = combination_text(request);
    return where.empty() ? setup.error() : setup.error().in(where);
  }
  setups.push_back(std::move(*setup));
  return {};
}

// One array with every bandwidth, then with every memory.
Result<> add_memories(const DesignGrid& grid, SetupRequest request, std::vector<Setup>& setups) {
  for (const Bandwidth& bandwidth : grid.bandwidths) {
    request.bandwidth = bandwidth;
    if (auto added = add_setup(request, setups); !added) return added;
  }
  request.bandwidth.reset();
  if (!grid.bandwidths.empty() && grid.memories.empty()) return {};
  for (const auto& memory : or_absent(grid.memories)) {
    request.memory = memory;
    if (auto added = add_setup(request, setups); !added) return added;
  }
  return {};
}

}  // namespace

Result<std::vector<Setup>> setups_of(const DesignGrid& grid) {
  SetupRequest request{.accelerator = grid.accelerator, .semantics = grid.semantics};
  std::vector<Setup> setups;
  for (const auto& array : or_absent(grid.arrays)) {
    for (const auto& dataflow : or_absent(grid.dataflows)) {
      for (const auto& scratchpads : or_absent(grid.scratchpads)) {
        request.array = array;
        request.dataflow = dataflow;
        request.scratchpads = scratchpads;
        if (auto added = add_memories(grid, request, setups); !added) return added.error();
      }
    }
  }
  return setups;
}

Result<std::vector<DesignPoint>> simulate_points(std::span<const Layer> layers,
                                                 const std::vector<Setup>& setups, ScheduleCache& cache,
                                                 const std::function<void()>& on_point,
                                                 const std::stop_token& stop) {
  std::vector<DesignPoint> points;
  for (const Setup& setup : setups) {
    const auto runs = simulate(layers, setup.machine, setup.port, setup.semantics, cache, 0, stop);
    if (!runs && runs.error().kind == Errc::cancelled) return runs.error();
    if (!runs) return runs.error().in(setup.machine_text());
    points.push_back({setup, totals_of(*runs, setup.energies)});
    on_point();
  }
  return points;
}

std::vector<std::string> files_of(const std::vector<DesignPoint>& points) {
  std::vector<std::string> files;
  for (const DesignPoint& point : points) {
    for (const std::string& file : point.setup.files) {
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  return files;
}

}  // namespace ergon::systolic
