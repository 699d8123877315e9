#include "control/targets/gpu_target.h"

#include <cctype>

#include <fmt/format.h>

#include "base/text.h"
#include "control/plants/default_knobs.h"
#include "control/surfaces/grid_surface.h"
#include "device/twin/catalog.h"

namespace ergon::control {
namespace {

// Maximum power of a GPU that does not report its limits.
constexpr Watts kMaxBoardPower{1500};
// Launch overhead of a replayed CUDA graph.
constexpr Seconds kReplayOverhead{5e-7};

std::vector<std::int64_t> wanted_batches(const TargetSettings& settings, const graph::Network& network) {
  if (!settings.batches.empty()) return settings.batches;
  if (network.batch_is_fixed) return {network.default_batch.value_or(1)};
  return batches_up_to(kMaxDefaultBatch);
}

// The running network.
struct Service {
  std::unique_ptr<profile::BatchExecutor> executor;
  profile::Launch launch = profile::Launch::replay;
};

// Drops batches that do not fit.
Result<Service> start_service(const graph::Network& network, const graph::Content* content,
                              profile::Engine& engine, const TargetSettings& settings,
                              std::vector<std::int64_t>& batches) {
  profile::PrepareOptions preparation{
      .content = content, .launch = profile::Launch::replay, .seed = settings.seed};
  for (;;) {
    const profile::RunCondition condition{batches.back(), graph::Mode::inference, settings.precision,
                                          profile::default_layout(settings.precision)};
    auto executor = engine.open_executor(network, condition, preparation);
    if (executor) return Service{std::move(*executor), preparation.launch};
    const bool out_of_memory = executor.error().kind == Errc::out_of_memory;
    if (!out_of_memory && preparation.launch == profile::Launch::replay) {
      preparation.launch = profile::Launch::eager;
      continue;
    }
    if (!out_of_memory || batches.size() == 1) return executor.error();
    batches.resize((batches.size() + 1) / 2);
  }
}

Result<DevicePlant::Settings> plant_settings(const TargetSettings& settings, const GpuBench& bench,
                                             std::vector<std::int64_t> batches) {
  DevicePlant::Settings how;
  how.knobs.batches = std::move(batches);
  how.arrivals = settings.arrivals();
  if (!bench.set_clock || !settings.may_set_clock) return how;
  const auto clocks = bench.gpu.supported_clocks(device::ClockDomain::core);
  if (!clocks) return clocks.error();
  how.knobs.clocks = evenly_spaced(*clocks, kDefaultClocks);
  how.set_clock = bench.set_clock;
  return how;
}

// From the twin of this product; null if there is none.
std::shared_ptr<const Surface> prior_of(const std::string& product, const graph::Network& network,
                                        const Service& service, device::Precision precision,
                                        const Knobs& knobs) {
  auto twin = twin_of_product(product);
  if (!twin) return nullptr;
  if (service.launch == profile::Launch::replay) twin->host.inference = kReplayOverhead;
  auto surface = twin_surface(network, *twin, precision, knobs);
  if (!surface) return nullptr;
  return std::make_shared<GridSurface>(std::move(*surface));
}

}  // namespace

std::optional<device::Specification> twin_of_product(const std::string& product) {
  std::string letters;
  for (const char letter : lower(product)) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) letters += letter;
  }
  std::string best;
  for (const std::string& name : device::device_names()) {
    if (name.size() > best.size() && letters.find(name) != std::string::npos) best = name;
  }
  if (best.empty()) return std::nullopt;
  const auto twin = device::find_device(best);
  return twin ? std::optional(*twin) : std::nullopt;
}

Result<Target> gpu_target(const graph::Network& network, const graph::Content* content, const GpuBench& bench,
                          const TargetSettings& settings, const std::stop_token& stop) {
  auto batches = wanted_batches(settings, network);
  const std::int64_t max_requested = batches.back();
  auto started = start_service(network, content, bench.engine, settings, batches);
  if (!started) return started.error().in(network.name);
  const auto service = std::make_shared<Service>(std::move(*started));
  auto how = plant_settings(settings, bench, batches);
  if (!how) return how.error();
  auto plant = DevicePlant::open(*service->executor, bench.gpu, bench.clock, std::move(*how), stop);
  if (!plant) return plant.error();

  const std::string& product = bench.engine.facts().device;
  const std::string& id = bench.gpu.identity().id;
  Target target;
  target.resources = service;
  if (batches.back() < max_requested)
    target.remarks.push_back(
        fmt::format("{} does not have enough memory for batches above {}", id, batches.back()));
  // With the batch alone, a search from below performs better than a prior; docs/cap.md has the measurements.
  if (!(*plant)->knobs().clocks.empty() || settings.latency)
    target.prior = prior_of(product, network, *service, settings.precision, (*plant)->knobs());
  const auto limits = bench.gpu.power_limits();
  target.max_power = limits ? limits->max : kMaxBoardPower;
  target.kind = TargetKind::gpu;
  target.network = network.name;
  target.device = product;
  target.description =
      fmt::format("{}, {}, on {} ({}{}), idle power {:.0f} W", network.name, name_of(settings.precision), id,
                  product, bench.gpu.simulated() ? ", simulated" : "", (*plant)->idle_power().si());
  target.plant = std::move(*plant);
  return target;
}

}  // namespace ergon::control
