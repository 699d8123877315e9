#include "cap/gpu_target.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/text.h"
#include "control/plants/device_plant.h"
#include "control/surfaces/grid_surface.h"
#include "device/twin/catalog.h"
#include "profile/test_bench.h"

namespace ergon::app {
namespace {

constexpr std::int64_t kMaxBatch = 256;
constexpr std::size_t kClocks = 24;

// Objects that the plant refers to.
struct GpuResources {
  graph::onnx::ImportedModel network;
  std::unique_ptr<TestBench> bench;
  std::unique_ptr<profile::BatchExecutor> service;
  profile::Launch launch = profile::Launch::replay;
};

// The twin with the longest name that is contained in the product name: "NVIDIA GeForce RTX 2080 Ti" gives
// rtx2080ti.
std::optional<device::Specification> twin_like(const std::string& product) {
  std::string squeezed;
  for (const char letter : lower(product)) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) squeezed += letter;
  }
  std::string best;
  for (const std::string& name : device::device_names()) {
    if (name.size() > best.size() && squeezed.find(name) != std::string::npos) best = name;
  }
  if (best.empty()) return std::nullopt;
  const auto twin = device::find_device(best);
  return twin ? std::optional(*twin) : std::nullopt;
}

std::vector<std::int64_t> wanted_batches(const CapSettings& settings, const graph::Network& network) {
  auto batches = settings.batches();
  if (batches.empty() && network.batch_is_fixed) batches = {network.default_batch.value_or(1)};
  if (!batches.empty()) return batches;
  for (std::int64_t batch = 1; batch <= kMaxBatch; ++batch) batches.push_back(batch);
  return batches;
}

// Prepares the network for the largest batch that fits and drops larger ones. Uses CUDA graph replay if
// possible, so that the GPU is not host-bound.
Result<> start_service(const CapSettings& settings, GpuResources& resources,
                       std::vector<std::int64_t>& batches) {
  const device::Precision precision = settings.precision.precision();
  profile::PrepareOptions preparation{
      .content = resources.network.content ? &*resources.network.content : nullptr,
      .launch = profile::Launch::replay,
      .seed = settings.seed};
  for (;;) {
    const profile::RunCondition condition{batches.back(), graph::Mode::inference, precision,
                                          profile::default_layout(precision)};
    auto service = resources.bench->engine().open_executor(resources.network.network, condition, preparation);
    if (service) {
      resources.service = std::move(*service);
      resources.launch = preparation.launch;
      return {};
    }
    const bool out_of_memory = service.error().kind == Errc::out_of_memory;
    if (!out_of_memory && preparation.launch == profile::Launch::replay) {
      preparation.launch = profile::Launch::eager;
      continue;
    }
    if (!out_of_memory || batches.size() == 1) return service.error();
    batches.resize((batches.size() + 1) / 2);
  }
}

std::vector<Hertz> some_of(const std::vector<Hertz>& clocks, std::size_t count) {
  if (clocks.size() <= count) return clocks;
  std::vector<Hertz> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(clocks[i * (clocks.size() - 1) / (count - 1)]);
  return some;
}

Result<control::DevicePlant::Settings> plant_settings(const CapSettings& settings, TestBench& bench,
                                                      std::vector<std::int64_t> batches) {
  control::DevicePlant::Settings how;
  how.knobs.batches = std::move(batches);
  how.arrivals = settings.arrivals();
  if (!settings.allow_control || settings.no_clock) return how;
  const auto clocks = bench.gpu()->supported_clocks(device::ClockDomain::core);
  if (!clocks) return clocks.error();
  how.knobs.clocks = some_of(*clocks, kClocks);
  how.set_clock = [&bench](Hertz clock) { return bench.lock_clock(clock); };
  return how;
}

// Prior from the twin of this GPU type; null if there is none.
std::shared_ptr<const control::Surface> prior_of(const GpuResources& resources, device::Precision precision,
                                                 const control::Knobs& knobs) {
  auto twin = twin_like(resources.bench->engine().facts().device);
  if (!twin) return nullptr;
  // Launch overhead of a replayed CUDA graph.
  constexpr Seconds kReplayed{5e-7};
  if (resources.launch == profile::Launch::replay) twin->host.inference = kReplayed;
  auto surface = control::twin_surface(resources.network.network, *twin, precision, knobs);
  if (!surface) return nullptr;
  return std::make_shared<control::GridSurface>(std::move(*surface));
}

}  // namespace

Result<CapTarget> gpu_target(const CapSettings& settings, Shell& shell) {
  auto network = settings.network.load_with_weights();
  if (!network) return network.error();
  auto bench = TestBench::open({.device = *settings.device,
                                .allow_control = settings.allow_control,
                                .seed = settings.seed,
                                .measure_energy = false,
                                .processor_too = false},
                               shell);
  if (!bench) return bench.error();
  auto resources =
      std::make_shared<GpuResources>(GpuResources{std::move(*network), std::move(*bench), nullptr});
  const graph::Network& loaded = resources->network.network;
  auto batches = wanted_batches(settings, loaded);
  const std::int64_t max_requested = batches.back();
  if (auto ready = start_service(settings, *resources, batches); !ready) return ready.error().in(loaded.name);
  device::Device& gpu = *resources->bench->gpu();
  auto how = plant_settings(settings, *resources->bench, batches);
  if (!how) return how.error();
  auto plant = control::DevicePlant::open(*resources->service, gpu, resources->bench->clock(),
                                          std::move(*how), shell.stop());
  if (!plant) return plant.error();

  CapTarget target;
  if (batches.back() < max_requested)
    target.remarks.push_back(fmt::format("{} does not have enough memory for batches above {}",
                                         gpu.identity().id, batches.back()));
  const std::string& product = resources->bench->engine().facts().device;
  // With the batch alone, a search from below performs better than a prior; docs/cap.md has the measurements.
  if (!(*plant)->knobs().clocks.empty() || settings.latency)
    target.prior = prior_of(*resources, settings.precision.precision(), (*plant)->knobs());
  const auto limits = gpu.power_limits();
  constexpr Watts kMaxBoardPower{1500};
  target.max_power = limits ? limits->max : kMaxBoardPower;
  target.network = loaded.name;
  target.device = product;
  target.real_time = true;
  target.kind = "gpu";
  target.description = fmt::format("{}, {}, on {} ({}{}), idle power {:.0f} W", loaded.name,
                                   settings.precision.name, gpu.identity().id, product,
                                   gpu.simulated() ? ", simulated" : "", (*plant)->idle_power().si());
  target.files = settings.network.files();
  target.plant = std::move(*plant);
  target.gpu = &gpu;
  target.restore = [resources] { return resources->bench->release(); };
  target.resources = std::move(resources);
  return target;
}

}  // namespace ergon::app
