#include "cap/cap_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "cap/fixed_clock.h"
#include "cap/gpu_target.h"
#include "cap/other_board.h"
#include "control/plants/trace_plant.h"
#include "control/plants/twin_plant.h"
#include "control/surfaces/grid_surface.h"
#include "device/twin/catalog.h"

namespace ergon::app {
namespace {

Result<std::shared_ptr<const control::Surface>> surface_of(const graph::Network& network,
                                                           const device::Specification& gpu,
                                                           device::Precision precision,
                                                           const control::Knobs& knobs) {
  auto surface = control::twin_surface(network, gpu, precision, knobs);
  if (!surface) return surface.error();
  return std::shared_ptr<const control::Surface>(std::make_shared<control::GridSurface>(std::move(*surface)));
}

Result<CapTarget> twin_target(const CapSettings& settings) {
  const auto nominal = device::find_device(*settings.device);
  if (!nominal) return nominal.error();
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const device::Precision precision = settings.precision.precision();
  control::TwinPlant::Settings how{.precision = precision,
                                   .batches = settings.batches(),
                                   .may_set_clock = !settings.no_clock,
                                   .arrivals = settings.arrivals(),
                                   .seed = settings.seed};
  if (how.batches.empty() && network->batch_is_fixed) how.batches = {network->default_batch.value_or(1)};
  const device::Specification board = other_board(*nominal, settings.seed);
  auto plant = control::TwinPlant::of(*network, board, how);
  if (!plant) return plant.error();
  const control::Knobs& knobs = plant->knobs();
  auto prior = surface_of(*network, *nominal, precision, knobs);
  if (!prior) return prior.error();
  auto truth = surface_of(*network, board, precision, knobs);
  if (!truth) return truth.error();

  CapTarget target;
  if (!how.batches.empty() && knobs.batches.size() < how.batches.size())
    target.remarks.push_back(fmt::format("{} does not have enough memory for batches above {}", nominal->name,
                                         knobs.batches.back()));
  target.plant = std::make_unique<control::TwinPlant>(std::move(*plant));
  target.prior = std::move(*prior);
  target.truth = std::move(*truth);
  target.max_power = nominal->limit.max;
  target.network = network->name;
  target.device = nominal->name;
  target.description = fmt::format("{}, {}, on {} (simulated board, seed {})", network->name,
                                   settings.precision.name, nominal->name, settings.seed);
  target.files = settings.network.files();
  if (lower(*settings.device).ends_with(".json")) target.files.push_back(*settings.device);
  return target;
}

// Reads the trace that --network names; without --network, the error lists the names.
Result<control::BatchTrace> trace_for(const CapSettings& settings) {
  if (settings.trace_network) return control::read_trace(*settings.trace, *settings.trace_network);
  const auto names = control::trace_networks(*settings.trace);
  if (!names) return names.error();
  return fail(Errc::invalid_input, "missing --network; {} has {}", *settings.trace, fmt::join(*names, ", "));
}

Result<> check_batches(const std::vector<std::int64_t>& batches, const control::BatchTrace& trace) {
  const auto measured = trace.knobs().batches;
  for (const std::int64_t each : batches) {
    if (each < measured.front() || each > measured.back())
      return fail(Errc::invalid_input, "--batch {}: {} was measured from batch {} to {}", each, trace.network,
                  measured.front(), measured.back());
  }
  return {};
}

Result<CapTarget> trace_target(const CapSettings& settings) {
  auto trace = trace_for(settings);
  if (!trace) return trace.error();
  const auto batches = settings.batches();
  if (const auto fine = check_batches(batches, *trace); !fine) return fine.error();
  // Maximum power of the device, relative to the highest measured power.
  constexpr double kMaxPowerFactor = 1.2;
  CapTarget target;
  target.max_power = std::ranges::max(trace->cells, {}, &control::TraceCell::power).power * kMaxPowerFactor;
  target.kind = "trace";
  target.network = trace->network;
  target.description = fmt::format("{}, replayed from {} (simulated, seed {})", trace->network,
                                   *settings.trace, settings.seed);
  target.files = {*settings.trace};
  control::TracePlant::Options options{.seed = settings.seed};
  if (!batches.empty()) options.batches = batches;
  auto plant = std::make_unique<control::TracePlant>(std::move(*trace), std::move(options));
  target.truth = std::make_shared<control::TraceSurface>(plant->surface());
  const auto& clocks = plant->knobs().clocks;
  const bool hide_clocks = settings.no_clock && !clocks.empty();
  if (hide_clocks) target.truth = std::make_shared<FixedClockSurface>(target.truth, clocks.back());
  target.plant = std::move(plant);
  if (hide_clocks) target.plant = std::make_unique<FixedClockPlant>(std::move(target.plant));
  return target;
}

}  // namespace

Result<CapTarget> open_target(const CapSettings& settings, Shell& shell) {
  if (settings.trace) return trace_target(settings);
  return settings.names_gpu() ? gpu_target(settings, shell) : twin_target(settings);
}

}  // namespace ergon::app
