#include "control/plants/twin_plant.h"

#include <algorithm>
#include <ergon/cap.h>

#include "api/access.h"
#include "api/cap_convert.h"
#include "api/convert.h"
#include "base/units_text.h"
#include "control/surfaces/grid_surface.h"
#include "sources/device_source.h"

namespace ergon {
namespace {

// A twin as a plant of the public API.
class PublicTwinPlant final : public Plant {
 public:
  explicit PublicTwinPlant(control::TwinPlant inner) : inner_(std::move(inner)) {}

  OperatingPoints operating_points() const override {
    return {inner_.knobs().batches, inner_.knobs().clocks};
  }
  Watts idle_power() const override { return inner_.idle_power(); }
  Seconds now() const override { return inner_.now(); }

  Result<CapFeedback> run(const BatchAndClock& point, const DecisionInterval& interval) override {
    if (auto allowed = check(point); !allowed) return allowed.error();
    const auto feedback = inner_.run(api::internal_point(point), {interval.batches, interval.sensor_updates});
    if (!feedback) return feedback.error();
    inner_.take_power_segments();
    inner_.take_latencies();
    return api::public_feedback(*feedback);
  }

 private:
  Result<> check(const BatchAndClock& point) const {
    const auto& [batches, clocks] = inner_.knobs();
    if (!std::ranges::binary_search(batches, point.batch))
      return fail(Errc::invalid_input, "batch {} is not one of the plant's", point.batch);
    if (point.clock && !std::ranges::binary_search(clocks, *point.clock))
      return fail(Errc::invalid_input, "clock {} is not one of the plant's", to_text(*point.clock));
    return {};
  }

  control::TwinPlant inner_;
};

}  // namespace

Result<std::unique_ptr<Plant>> twin_plant(const Network& network, const std::string& device,
                                          const TwinPlantOptions& options) {
  const auto gpu = sources::DeviceSource{device, {}}.twin();
  if (!gpu) return gpu.error();
  if (!options.batches.empty()) {
    if (auto fine = api::knobs_of({options.batches, {}}); !fine) return fine.error();
  }
  const graph::Network& fused = Access::fused(network);
  control::TwinPlant::Settings settings{.precision = api::precision_of(options.precision, fused),
                                        .batches = options.batches,
                                        .may_set_clock = options.set_clock,
                                        .arrivals = {},
                                        .seed = options.seed};
  if (settings.batches.empty() && fused.batch_is_fixed) settings.batches = {fused.default_batch.value_or(1)};
  auto plant = control::TwinPlant::of(fused, *gpu, settings);
  if (!plant) return plant.error();
  return std::unique_ptr<Plant>(std::make_unique<PublicTwinPlant>(std::move(*plant)));
}

Result<CapPrior> twin_prior(const Network& network, const std::string& device, const OperatingPoints& points,
                            std::optional<Precision> precision) {
  const auto gpu = sources::DeviceSource{device, {}}.twin();
  if (!gpu) return gpu.error();
  const auto knobs = api::knobs_of(points);
  if (!knobs) return knobs.error();
  const graph::Network& fused = Access::fused(network);
  auto surface = control::twin_surface(fused, *gpu, api::precision_of(precision, fused), *knobs);
  if (!surface) return surface.error();
  const auto shared = std::make_shared<const control::GridSurface>(std::move(*surface));
  return CapPrior([shared](const BatchAndClock& point) -> Expectation {
    const control::Expectation expected = shared->at(api::internal_point(point));
    Expectation to{expected.time, expected.power, {}, {}};
    if (expected.gpu > Seconds{0}) to.kernels = expected.gpu;
    if (expected.host > Seconds{0}) to.host = expected.host;
    return to;
  });
}

}  // namespace ergon
