#include "systolic/setup/engine.h"

#include <fmt/format.h>

#include "base/text.h"
#include "systolic/simulate.h"
#include "systolic/stepped/stepped.h"

namespace ergon::systolic {
namespace {

Result<std::vector<LayerRun>> simulate_stepped(std::span<const Layer> layers, const Setup& setup,
                                               const std::stop_token& stop) {
  std::vector<LayerRun> runs;
  for (const Layer& layer : layers) {
    auto run = stepped::step(layer, setup.machine, setup.port, setup.semantics, stop);
    if (!run && run.error().kind == Errc::cancelled) return run.error();
    if (!run) return run.error().in(fmt::format("layer \"{}\"", printable(layer.name)));
    runs.push_back(std::move(*run));
  }
  return runs;
}

}  // namespace

std::string_view name_of(Engine engine) { return engine == Engine::stepped ? "stepped" : "fast"; }

Result<std::vector<LayerRun>> simulate(Engine engine, std::span<const Layer> layers, const Setup& setup,
                                       const std::stop_token& stop) {
  if (engine == Engine::stepped) return simulate_stepped(layers, setup, stop);
  ScheduleCache cache;
  return simulate(layers, setup.machine, setup.port, setup.semantics, cache, 0, stop);
}

}  // namespace ergon::systolic
