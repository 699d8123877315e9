#include "fleet/synthetic/gpu_simulation.h"

#include <algorithm>

#include "base/contract.h"
#include "device/twin/sensor.h"

namespace ergon::fleet::synthetic {
namespace {

// Share of the preparation after which the renderer opens its context.
constexpr double kContextOpens = 0.6;
constexpr Seconds kMinBurst{1}, kMaxBurst{15};
// Before the start a GPU was without context for longer than any sensor window.
constexpr Instant kLongBefore{-100'000'000'000};

// Random level; middle levels are more frequent.
std::size_t ray_level(RandomStream& random) {
  return static_cast<std::size_t>((random.below(kRayLevels) + random.below(kRayLevels + 1)) / 2);
}

}  // namespace

PowerSensor::PowerSensor(const device::SensorModel& model)
    : period_ns(std::max<std::int64_t>(1, device::nanoseconds(model.period))),
      window_ns(std::max<std::int64_t>(1, device::nanoseconds(model.window))),
      gain(model.gain),
      offset(model.offset),
      noise(model.noise) {}

GpuPhases::GpuPhases(const FleetPlan& plan, std::uint64_t host, std::uint64_t gpu, TaskStream life,
                     const Board& board)
    : board_(&board),
      seed_(plan.seed),
      gpu_(host * kMaxGpusPerHost + gpu),
      life_(life),
      task_(life_.next()),
      random_(plan.seed, Purpose::bursts) {}

std::optional<GpuPhase> GpuPhases::next() {
  if (!task_) return std::nullopt;
  const RenderTask& task = *task_;
  switch (step_) {
    case Step::wake:
      step_ = Step::kernels;
      burst_ = task.kernels_begin;
      random_ = RandomStream(seed_, Purpose::bursts, gpu_, task.number);
      return GpuPhase{later(task.render_begin, (task.kernels_begin - task.render_begin) * kContextOpens),
                      &board_->resident};
    case Step::kernels: {
      const Rendering& rendering = board_->rendering[ray_level(random_)];
      const GpuPhase burst{burst_, &rendering.point, &rendering};
      burst_ = later(burst_, Seconds{random_.uniform(kMinBurst.si(), kMaxBurst.si())});
      if (burst_ >= task.kernels_end) step_ = Step::wait;
      return burst;
    }
    case Step::wait:
      step_ = Step::sleep;
      return GpuPhase{task.kernels_end, &board_->resident};
    case Step::sleep:
      break;
  }
  const GpuPhase bare{task.tiling_end, &board_->bare};
  step_ = Step::wake;
  task_ = life_.next();
  return bare;
}

GpuSimulation::GpuSimulation(std::shared_ptr<const Board> board, const GpuPhases& phases)
    : board_(std::move(board)), phases_(phases), next_(phases_.next()) {
  last_.fill({kLongBefore, {.energy = {}, .temperature = board_->bare.temperature}, board_->bare});
}

void GpuSimulation::advance(Instant moment) {
  ERGON_EXPECTS(moment >= now_);
  now_ = moment;
  for (; next_ && next_->begin <= moment; next_ = phases_.next()) {
    const device::OperatingPhase& before = stretch();
    const device::OperatingPhase after{next_->begin, before.at(next_->begin), *next_->point};
    newest_ = (newest_ + 1) % kKept;
    last_[newest_] = after;
    rendering_ = next_->rendering;
  }
}

Joules GpuSimulation::energy_at(Instant moment) const {
  std::size_t which = newest_;
  for (std::size_t older = 1; older < kKept && moment < last_[which].begin; ++older)
    which = (newest_ + kKept - older) % kKept;
  return last_[which].at(moment).energy;
}

Watts GpuSimulation::sensor_power(const PowerSensor& sensor) const {
  const Instant oldest = last_[(newest_ + 1) % kKept].begin;
  const Instant update{std::max(now_.ns - now_.ns % sensor.period_ns, oldest.ns + 1)};
  const Instant begin = std::max(oldest, Instant{update.ns - sensor.window_ns});
  const Watts mean = (energy_at(update) - energy_at(begin)) / (update - begin);
  return std::max(Watts{0}, mean * sensor.gain + sensor.offset);
}

}  // namespace ergon::fleet::synthetic
