#include "fleet/synthetic/board.h"

#include <memory>

#include "device/twin/clock_grid.h"
#include "device/twin/steady_state.h"
#include "fleet/synthetic/random_stream.h"

namespace ergon::fleet::synthetic {
namespace {

// Time in which the host sorts rays, in kernel launches; GPU time per host time.
constexpr std::int64_t kLaunchesPerPass = 64;
constexpr double kGpuPerHost = 1;
constexpr double kTracingShare = 0.57;  // of the GPU time of a pass; the rest is shading
// Ray data of a full multiprocessor, and the occupancy range of the ray levels.
constexpr Bytes kRaysPerMultiprocessor{64.0 * 1024};
constexpr double kMinRays = 0.06, kMaxRays = 0.72;

// Variation between boards of one product, as relative standard deviations. Slow boards have slower memory
// and a slower host: in the study they waited for memory more often, at about the same utilization.
constexpr double kSlowBandwidth = 0.8, kSlowHost = 1.11;
constexpr double kBandwidthSpread = 0.005, kPowerSpread = 0.05, kBareSpread = 0.04, kCoolingSpread = 0.06;
constexpr Kelvins kInletSpread{2};

// A kernel whose work is scaled until it takes `time`.
template <typename Grow>
device::Kernel lasting(Seconds time, const device::Specification& gpu, const Grow& grow) {
  double low = 0, high = 1;
  const auto shorter = [&](double size) {
    const device::KernelCost demand = device::kernel_cost(grow(size), device::Precision::fp32, gpu);
    return device::time_of(demand, gpu, gpu.core.max).total < time;
  };
  constexpr int kDoublings = 60, kHalvings = 50;
  for (int i = 0; i < kDoublings && shorter(high); ++i) high *= 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (shorter(middle) ? low : high) = middle;
  }
  return grow(high);
}

Rendering rendering_of(const device::Workload& pass,
                       const std::shared_ptr<const device::Specification>& gpu) {
  const auto load = std::make_shared<const device::Load>(pass, *gpu);
  const Hertz clock = device::steady_state(*load, *gpu, {}).clock;
  const std::size_t step = device::ClockGrid(gpu->core).step_at_or_below(clock);
  Rendering rendering;
  rendering.point = device::OperatingPoints(gpu, load).at(step);
  const device::Activity activity = load->at(rendering.point.clock);
  Seconds memory;
  for (const device::OperationLoad& operation : load->operations()) {
    for (const device::KernelCost& demand : operation.kernel_costs)
      memory += device::time_of(demand, *gpu, rendering.point.clock).memory * operation.count;
  }
  rendering.busy_percent = 100 * (activity.gpu / activity.time).si();
  rendering.memory_percent = 100 * gpu->memory.counter_full * (memory / activity.time).si();
  return rendering;
}

}  // namespace

RenderPasses::RenderPasses(const device::Specification& gpu) {
  const Seconds host = gpu.host.inference * static_cast<double>(kLaunchesPerPass);
  const Seconds time = host * kGpuPerHost;
  const device::Kernel trace = lasting(time * kTracingShare, gpu, [](double size) {
    device::Kernel kernel;
    kernel.kind = device::KernelKind::gather;
    kernel.traffic = Bytes{1e6} * size;
    return kernel;
  });
  for (std::size_t level = 0; level < kRayLevels; ++level) {
    const double position = static_cast<double>(level) / (kRayLevels - 1);
    const double rays = kMinRays + (kMaxRays - kMinRays) * position;
    const device::Kernel shade = lasting(time * (1 - kTracingShare), gpu, [&](double size) {
      device::Kernel kernel;
      kernel.flops = 1e6 * size;
      kernel.traffic = kRaysPerMultiprocessor * (rays * static_cast<double>(gpu.multiprocessors));
      return kernel;
    });
    device::Operation launch, sort;
    launch.kind = "rays";
    launch.forward = {trace, shade};
    sort.kind = "sort";
    sort.count = kLaunchesPerPass - 1;
    device::Workload pass;
    pass.network = "render";
    pass.precision = device::Precision::fp32;
    pass.operations = {launch, sort};
    passes_.push_back(std::move(pass));
  }
}

Board nominal_board(const device::Specification& gpu, const RenderPasses& passes) {
  const auto shared = std::make_shared<const device::Specification>(gpu);
  Board board;
  board.bare = device::bare_point(gpu);
  board.resident = device::OperatingPoints(shared, nullptr).at(device::ClockGrid(gpu.core).highest());
  for (std::size_t level = 0; level < kRayLevels; ++level)
    board.rendering[level] = rendering_of(passes.at(level), shared);
  board.pass = board.rendering[kRayLevels / 2].point.iteration;
  return board;
}

device::Specification with_board_variation(device::Specification gpu, const BoardChoice& choice) {
  RandomStream random(choice.seed, Purpose::board, choice.host, choice.gpu);
  const auto around = [&](double share) { return 1 + share * random.approximate_normal(); };
  gpu.memory.bandwidth *= around(kBandwidthSpread) * (choice.slow ? kSlowBandwidth : 1);
  gpu.host.inference *= choice.slow ? kSlowHost : 1;
  const double power = around(kPowerSpread);
  gpu.power.busy *= power;
  gpu.power.simt_flop *= power;
  gpu.power.bare *= around(kBareSpread);
  gpu.thermal.resistance *= around(kCoolingSpread);
  gpu.thermal.ambient = gpu.thermal.ambient + kInletSpread * random.approximate_normal();
  return gpu;
}

Board board_of(const device::Specification& gpu, const RenderPasses& passes, const BoardChoice& choice) {
  return nominal_board(with_board_variation(gpu, choice), passes);
}

}  // namespace ergon::fleet::synthetic
