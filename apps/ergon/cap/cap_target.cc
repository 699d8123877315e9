#include "cap/cap_target.h"

#include <fmt/ranges.h>

#include "control/plants/trace.h"
#include "control/targets/gpu_target.h"
#include "control/targets/trace_target.h"
#include "control/targets/twin_target.h"
#include "device/twin/estimate_notes.h"
#include "profile/test_bench/test_bench.h"

namespace ergon::app {
namespace {

Result<CapTarget> open_twin(const CapSettings& settings, Shell& shell) {
  const auto nominal = settings.device.twin();
  if (!nominal) return nominal.error();
  const auto network = settings.network.load_fused();
  if (!network) return network.error();
  const control::TargetSettings run = settings.target_for(*network);
  auto warnings = device::precision_warnings(*network, run.precision, *nominal);
  note_warnings(warnings, shell);
  auto target = control::twin_target(*network, *nominal, run);
  if (!target) return target.error();
  CapTarget opened{.target = std::move(*target),
                   .precision = run.precision,
                   .files = settings.network.files(),
                   .warnings = std::move(warnings)};
  for (std::string& file : settings.device.files()) opened.files.push_back(std::move(file));
  return opened;
}

// Without --network, the error lists the names.
Result<CapTarget> open_trace(const CapSettings& settings) {
  const std::string& file = *settings.trace;
  if (!settings.trace_network) {
    const auto names = control::trace_networks(file);
    if (!names) return names.error();
    return fail(Errc::invalid_input, "missing --network; {} has {}", file, fmt::join(*names, ", "));
  }
  auto target = control::trace_target(file, *settings.trace_network, settings.target());
  if (!target) return target.error();
  return CapTarget{.target = std::move(*target), .files = {file}};
}

// A GPU of this machine, through CUDA or the fake driver.
Result<CapTarget> open_gpu(const CapSettings& settings, Shell& shell) {
  struct Resources {
    graph::onnx::ImportedModel model;
    std::unique_ptr<profile::TestBench> bench;
  };
  auto model = settings.network.load_with_weights();
  if (!model) return model.error();
  auto opened = profile::TestBench::open({.device = settings.device.name,
                                          .allow_control = settings.allow_control,
                                          .seed = settings.seed,
                                          .measure_energy = false,
                                          .processor_too = false},
                                         {shell.clock(), shell.stop(), shell.notify()});
  if (!opened) return opened.error();
  const auto resources = std::make_shared<Resources>(Resources{std::move(*model), std::move(*opened)});
  profile::TestBench& bench = *resources->bench;
  control::GpuBench gpu{*bench.gpu(), bench.engine(), bench.clock(), {}};
  if (settings.allow_control) gpu.set_clock = [&bench](Hertz clock) { return bench.lock_clock(clock); };
  const auto& content = resources->model.content;
  const control::TargetSettings run = settings.target_for(resources->model.network);
  auto warnings = bench.engine().warnings(resources->model.network, {.precision = run.precision});
  note_warnings(warnings, shell);
  auto target =
      control::gpu_target(resources->model.network, content ? &*content : nullptr, gpu, run, shell.stop());
  if (!target) return target.error();
  return CapTarget{.resources = resources,
                   .target = std::move(*target),
                   .precision = run.precision,
                   .gpu = bench.gpu(),
                   .files = settings.network.files(),
                   .warnings = std::move(warnings),
                   .restore = [resources] { return resources->bench->release(); }};
}

}  // namespace

Result<CapTarget> open_target(const CapSettings& settings, Shell& shell) {
  if (settings.trace) return open_trace(settings);
  return settings.uses_gpu() ? open_gpu(settings, shell) : open_twin(settings, shell);
}

}  // namespace ergon::app
