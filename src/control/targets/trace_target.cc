#include "control/targets/trace_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/plants/fixed_clock.h"
#include "control/plants/trace_plant.h"

namespace ergon::control {
namespace {

Result<> check_measured(const std::vector<std::int64_t>& batches, const BatchTrace& trace) {
  const auto measured = trace.knobs().batches;
  for (const std::int64_t each : batches) {
    if (each < measured.front() || each > measured.back())
      return fail(Errc::invalid_input, "--batch {}: {} was measured from batch {} to {}", each, trace.network,
                  measured.front(), measured.back());
  }
  return {};
}

}  // namespace

Result<Target> trace_target(const std::string& file, const std::string& network,
                            const TargetSettings& settings) {
  auto trace = read_trace(file, network);
  if (!trace) return trace.error();
  if (const auto fine = check_measured(settings.batches, *trace); !fine) return fine.error();
  // Maximum power of the device, relative to the highest measured power.
  constexpr double kMaxPowerFactor = 1.2;
  Target target;
  target.max_power = std::ranges::max(trace->cells, {}, &TraceCell::power).power * kMaxPowerFactor;
  target.kind = TargetKind::trace;
  target.network = trace->network;
  target.description =
      fmt::format("{}, replayed from {} (simulated, seed {})", trace->network, file, settings.seed);
  TracePlant::Options options{.seed = settings.seed};
  if (!settings.batches.empty()) options.batches = settings.batches;
  auto plant = std::make_unique<TracePlant>(std::move(*trace), std::move(options));
  target.truth = std::make_shared<TraceSurface>(plant->surface());
  const auto& clocks = plant->knobs().clocks;
  const bool hide_clocks = !settings.may_set_clock && !clocks.empty();
  if (hide_clocks) target.truth = std::make_shared<FixedClockSurface>(target.truth, clocks.back());
  target.plant = std::move(plant);
  if (hide_clocks) target.plant = std::make_unique<FixedClockPlant>(std::move(target.plant));
  return target;
}

}  // namespace ergon::control
