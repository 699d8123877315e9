#include "cap/plant_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "cap/fixed_clock.h"
#include "cap/gpu_stage.h"
#include "cap/other_board.h"
#include "control/grid_surface.h"
#include "control/trace_plant.h"
#include "control/twin_plant.h"
#include "device/twin/catalogue.h"

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

Result<Stage> twin_stage(const CapSettings& settings) {
  const auto nominal = device::find_device(*settings.device);
  if (!nominal) return nominal.error();
  const auto network = settings.network.load_to_run();
  if (!network) return network.error();
  const device::Precision precision = settings.precision.wanted();
  control::TwinPlant::Settings how{.precision = precision,
                                   .batches = settings.batches(),
                                   .may_set_clock = !settings.no_clock,
                                   .arrivals = settings.arrivals(),
                                   .seed = settings.seed};
  if (how.batches.empty() && network->batch_is_fixed) how.batches = {network->usual_batch.value_or(1)};
  const device::Specification board = other_board(*nominal, settings.seed);
  auto plant = control::TwinPlant::of(*network, board, how);
  if (!plant) return plant.error();
  const control::Knobs& knobs = plant->knobs();
  auto believed = surface_of(*network, *nominal, precision, knobs);
  if (!believed) return believed.error();
  auto truth = surface_of(*network, board, precision, knobs);
  if (!truth) return truth.error();

  Stage stage;
  if (!how.batches.empty() && knobs.batches.size() < how.batches.size())
    stage.remarks.push_back(
        fmt::format("{} has not enough memory for batches above {}", nominal->name, knobs.batches.back()));
  stage.plant = std::make_unique<control::TwinPlant>(std::move(*plant));
  stage.believed = std::move(*believed);
  stage.truth = std::move(*truth);
  stage.most = nominal->limit.most;
  stage.network = network->name;
  stage.device = nominal->name;
  stage.what = fmt::format("{} in {} on {}, simulated: another board of its kind, seed {}", network->name,
                           settings.precision.name, nominal->name, settings.seed);
  stage.files = settings.network.files();
  if (lower(*settings.device).ends_with(".json")) stage.files.push_back(*settings.device);
  return stage;
}

// "ResNetV2_152/ImageNet, ...": what --network may name.
Result<control::Trace> trace_for(const CapSettings& settings) {
  if (settings.trace_network) return control::read_trace(*settings.trace, *settings.trace_network);
  const auto names = control::trace_networks(*settings.trace);
  if (!names) return names.error();
  return fail(Errc::invalid_input, "--network has to name one of {}: {}", *settings.trace,
              fmt::join(*names, ", "));
}

Result<> check_batches(const std::vector<std::int64_t>& batches, const control::Trace& trace) {
  const auto measured = trace.knobs().batches;
  for (const std::int64_t each : batches) {
    if (each < measured.front() || each > measured.back())
      return fail(Errc::invalid_input, "--batches {}: {} was measured from batch {} to {}", each,
                  trace.network, measured.front(), measured.back());
  }
  return {};
}

Result<Stage> trace_stage(const CapSettings& settings) {
  auto trace = trace_for(settings);
  if (!trace) return trace.error();
  const auto batches = settings.batches();
  if (const auto fine = check_batches(batches, *trace); !fine) return fine.error();
  // Beyond what was measured: who drew that much may draw a little more.
  constexpr double kMore = 1.2;
  Stage stage;
  stage.most = std::ranges::max(trace->cells, {}, &control::TraceCell::power).power * kMore;
  stage.kind = "trace";
  stage.network = trace->network;
  stage.what = fmt::format("{}, replayed from {} (simulated, seed {})", trace->network, *settings.trace,
                           settings.seed);
  stage.files = {*settings.trace};
  control::TracePlant::Options options{.seed = settings.seed};
  if (!batches.empty()) options.batches = batches;
  auto plant = std::make_unique<control::TracePlant>(std::move(*trace), std::move(options));
  stage.truth = std::make_shared<control::TraceSurface>(plant->surface());
  const auto& clocks = plant->knobs().clocks;
  const bool hide_clocks = settings.no_clock && !clocks.empty();
  if (hide_clocks) stage.truth = std::make_shared<FixedClockSurface>(stage.truth, clocks.back());
  stage.plant = std::move(plant);
  if (hide_clocks) stage.plant = std::make_unique<FixedClockPlant>(std::move(stage.plant));
  return stage;
}

}  // namespace

Result<Stage> stage_for(const CapSettings& settings, Shell& shell) {
  if (settings.trace) return trace_stage(settings);
  return settings.names_gpu() ? gpu_stage(settings, shell) : twin_stage(settings);
}

}  // namespace ergon::app
