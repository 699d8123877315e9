#include "control/targets/twin_target.h"

#include <fmt/format.h>

#include "control/plants/other_board.h"
#include "control/plants/twin_plant.h"
#include "control/surfaces/grid_surface.h"

namespace ergon::control {
namespace {

Result<std::shared_ptr<const Surface>> shared_twin_surface(const graph::Network& network,
                                                           const device::Specification& gpu,
                                                           device::Precision precision, const Knobs& knobs) {
  auto surface = twin_surface(network, gpu, precision, knobs);
  if (!surface) return surface.error();
  return std::shared_ptr<const Surface>(std::make_shared<GridSurface>(std::move(*surface)));
}

}  // namespace

Result<Target> twin_target(const graph::Network& network, const device::Specification& nominal,
                           const TargetSettings& settings) {
  TwinPlant::Settings how{.precision = settings.precision,
                          .batches = settings.batches,
                          .may_set_clock = settings.may_set_clock,
                          .arrivals = settings.arrivals(),
                          .seed = settings.seed};
  if (how.batches.empty() && network.batch_is_fixed) how.batches = {network.default_batch.value_or(1)};
  const device::Specification board = other_board(nominal, settings.seed);
  auto plant = TwinPlant::of(network, board, how);
  if (!plant) return plant.error();
  const Knobs& knobs = plant->knobs();
  auto prior = shared_twin_surface(network, nominal, settings.precision, knobs);
  if (!prior) return prior.error();
  auto truth = shared_twin_surface(network, board, settings.precision, knobs);
  if (!truth) return truth.error();

  Target target;
  if (!how.batches.empty() && knobs.batches.size() < how.batches.size())
    target.remarks.push_back(fmt::format("{} does not have enough memory for batches above {}", nominal.name,
                                         knobs.batches.back()));
  target.plant = std::make_unique<TwinPlant>(std::move(*plant));
  target.prior = std::move(*prior);
  target.truth = std::move(*truth);
  target.max_power = nominal.limit.max;
  target.network = network.name;
  target.device = nominal.name;
  target.description = fmt::format("{}, {}, on {} (simulated board, seed {})", network.name,
                                   name_of(settings.precision), nominal.name, settings.seed);
  return target;
}

}  // namespace ergon::control
