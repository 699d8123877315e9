#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "systolic/array/layer.h"
#include "systolic/layer_run.h"
#include "systolic/setup/setup.h"

namespace ergon::systolic {

// The engine that simulates.
enum class Engine : std::uint8_t {
  fast,     // traces misses and replays them (simulate.h)
  stepped,  // the slow reference, to verify the fast engine (stepped/)
};
inline constexpr Engine kEngines[] = {Engine::fast, Engine::stepped};
std::string_view name_of(Engine engine);

// All layers on a setup. Errors: those of the engine, with the layer; cancelled.
Result<std::vector<LayerRun>> simulate(Engine engine, std::span<const Layer> layers, const Setup& setup,
                                       const std::stop_token& stop = {});

}  // namespace ergon::systolic
