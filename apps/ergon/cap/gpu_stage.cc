#include "cap/gpu_stage.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/text.h"
#include "control/device_plant.h"
#include "control/grid_surface.h"
#include "device/twin/catalogue.h"
#include "profile/test_bench.h"

namespace ergon::app {
namespace {

constexpr std::int64_t kMostBatch = 256;
constexpr std::size_t kClocks = 24;

// What the plant stands on.
struct Rig {
  graph::onnx::Filled network;
  std::unique_ptr<TestBench> bench;
  std::unique_ptr<profile::Service> service;
  profile::Launch launch = profile::Launch::replay;
};

// "NVIDIA GeForce RTX 2080 Ti" is like rtx2080ti: the twin with the longest name that is part of the
// product's.
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
  if (batches.empty() && network.batch_is_fixed) batches = {network.usual_batch.value_or(1)};
  if (!batches.empty()) return batches;
  for (std::int64_t batch = 1; batch <= kMostBatch; ++batch) batches.push_back(batch);
  return batches;
}

// Ready for the largest batch that fits; larger ones are dropped. Calls are replayed where that works, so
// that the GPU does not wait for the host.
Result<> start_service(const CapSettings& settings, Rig& rig, std::vector<std::int64_t>& batches) {
  const device::Precision precision = settings.precision.wanted();
  profile::Preparation preparation{.content = rig.network.content ? &*rig.network.content : nullptr,
                                   .launch = profile::Launch::replay,
                                   .seed = settings.seed};
  for (;;) {
    const profile::Condition condition{batches.back(), graph::Mode::inference, precision,
                                       profile::usual_layout(precision)};
    auto service = rig.bench->engine().serve(rig.network.network, condition, preparation);
    if (service) {
      rig.service = std::move(*service);
      rig.launch = preparation.launch;
      return {};
    }
    const bool memory = service.error().kind == Errc::out_of_memory;
    if (!memory && preparation.launch == profile::Launch::replay) {
      preparation.launch = profile::Launch::eager;
      continue;
    }
    if (service.error().kind != Errc::out_of_memory || batches.size() == 1) return service.error();
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

// What a twin of its kind would do: something to begin with.
std::shared_ptr<const control::Surface> believed_of(const Rig& rig, device::Precision precision,
                                                    const control::Knobs& knobs) {
  auto twin = twin_like(rig.bench->engine().facts().device);
  if (!twin) return nullptr;
  // Recorded calls cost the host next to nothing.
  constexpr Seconds kReplayed{5e-7};
  if (rig.launch == profile::Launch::replay) twin->host.inference = kReplayed;
  auto surface = control::twin_surface(rig.network.network, *twin, precision, knobs);
  if (!surface) return nullptr;
  return std::make_shared<control::GridSurface>(std::move(*surface));
}

}  // namespace

Result<Stage> gpu_stage(const CapSettings& settings, Shell& shell) {
  auto network = settings.network.load_filled();
  if (!network) return network.error();
  auto bench = TestBench::open({.device = *settings.device,
                                .allow_control = settings.allow_control,
                                .seed = settings.seed,
                                .watched = false,
                                .processor_too = false},
                               shell);
  if (!bench) return bench.error();
  auto rig = std::make_shared<Rig>(Rig{std::move(*network), std::move(*bench), nullptr});
  const graph::Network& loaded = rig->network.network;
  auto batches = wanted_batches(settings, loaded);
  const std::int64_t most_wanted = batches.back();
  if (auto ready = start_service(settings, *rig, batches); !ready) return ready.error().in(loaded.name);
  device::Device& gpu = *rig->bench->gpu();
  auto how = plant_settings(settings, *rig->bench, batches);
  if (!how) return how.error();
  auto plant =
      control::DevicePlant::open(*rig->service, gpu, rig->bench->clock(), std::move(*how), shell.stop());
  if (!plant) return plant.error();

  Stage stage;
  if (batches.back() < most_wanted)
    stage.remarks.push_back(
        fmt::format("{} has not enough memory for batches above {}", gpu.identity().id, batches.back()));
  const std::string& product = rig->bench->engine().facts().device;
  // With the batch alone a search from below is better than any belief: docs/cap.md has the measurements.
  if (!(*plant)->knobs().clocks.empty() || settings.latency)
    stage.believed = believed_of(*rig, settings.precision.wanted(), (*plant)->knobs());
  const auto limits = gpu.power_limits();
  constexpr Watts kAnyBoard{1500};
  stage.most = limits ? limits->most : kAnyBoard;
  stage.network = loaded.name;
  stage.device = product;
  stage.in_our_time = true;
  stage.kind = "gpu";
  stage.what = fmt::format("{} in {} on {} ({}){}, {:.0f} W with nothing running", loaded.name,
                           settings.precision.name, gpu.identity().id, product,
                           gpu.simulated() ? ", simulated" : "", (*plant)->idle_power().si());
  stage.files = settings.network.files();
  stage.plant = std::move(*plant);
  stage.gpu = &gpu;
  stage.put_back = [rig] { return rig->bench->release(); };
  stage.rig = std::move(rig);
  return stage;
}

}  // namespace ergon::app
