#include "reproduce/batchsizer/plant.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "control/plants/twin_plant.h"
#include "device/twin/clock_grid.h"
#include "device/twin/kernel.h"
#include "device/twin/steady_state.h"

namespace ergon::reproduce {
namespace {

// The P40 has neither matrix units nor fast 16 bit arithmetic.
constexpr auto kPrecision = device::Precision::fp32;
// Relative standard deviation of the decoding time of an image and of the time of a call. Assumed; nothing
// was published.
constexpr double kImageScatter = 0.5, kCallScatter = 0.05;
// Length of a power segment.
constexpr Seconds kSegment{0.01};

Watts shown(const device::SensorModel& sensor, Watts truth) { return truth * sensor.gain + sensor.offset; }

Hertz grid_clock(const device::Specification& gpu, Hertz requested) {
  const device::ClockGrid grid(gpu.core);
  return grid.at(grid.step_at_or_below(requested));
}

}  // namespace

Result<std::shared_ptr<const device::Load>> TwinNetwork::load(std::int64_t batch) {
  auto& known = loads_[batch];
  if (!known) {
    const auto work = device::workload_of(network_, batch, graph::Mode::inference, kPrecision);
    if (!work) return work.error();
    known = std::make_shared<const device::Load>(*work, gpu_);
  }
  return known;
}

Result<device::Activity> TwinNetwork::activity(const control::Point& point) {
  ERGON_EXPECTS(point.clock);
  const Hertz clock = grid_clock(gpu_, *point.clock);
  const std::pair key{point.batch, clock.si()};
  if (const auto known = activities_.find(key); known != activities_.end()) return known->second;
  const auto placed = load(point.batch);
  if (!placed) return placed.error();
  return activities_.emplace(key, (*placed)->at(clock)).first->second;
}

// The chip's temperature hardly changes within a batch, so it follows the mean power.
//
// The meter approaches `working` during an execution and `idle` during the next preparation:
// meter = power + (previous - power) exp(-time / lag). In the steady state every cycle ends where it began.
// With an execution of x lags and a preparation of y lags, the meter peaks at the share
// (1 - exp(-x)) / (1 - exp(-x - y)) of the rise from `idle` to `working`.
Result<InputBoundState> input_bound_state(TwinNetwork& network, const InputPipeline& input, Seconds meter_lag,
                                          const control::Point& point) {
  const auto activity = network.activity(point);
  if (!activity) return activity.error();
  const device::Specification& gpu = network.gpu();
  const device::SensorModel& sensor = control::fastest_sensor(gpu);
  const Hertz clock = grid_clock(gpu, *point.clock);
  const Seconds prepared = input.time_of(point.batch), executed = activity->time;
  Watts working, idle, mean;
  Celsius temperature = gpu.thermal.ambient;
  constexpr int kRounds = 8;
  for (int i = 0; i < kRounds; ++i) {
    working = device::power_of(*activity, gpu, clock, temperature);
    idle = device::resident_power(gpu, clock, temperature);
    mean = (working * executed + idle * prepared) / (executed + prepared);
    temperature = gpu.thermal.ambient + gpu.thermal.resistance * mean;
  }
  const double x = (executed / meter_lag).si(), y = (prepared / meter_lag).si();
  const Watts spike = idle + (working - idle) * (std::expm1(-x) / std::expm1(-x - y));
  return InputBoundState{prepared, executed, shown(sensor, working), shown(sensor, spike),
                         shown(sensor, mean)};
}

Result<control::GridSurface> input_bound_surface(TwinNetwork& network, const InputPipeline& input,
                                                 Seconds meter_lag, const control::Knobs& knobs) {
  const auto batches = control::grid_batches(knobs.batches.front(), knobs.batches.back());
  return control::GridSurface::of(
      batches, knobs.clocks, [&](const control::Point& point) -> Result<control::Expectation> {
        const auto state = input_bound_state(network, input, meter_lag, point);
        if (!state) return state.error();
        // The model has only the total time; all of it counts as kernel time.
        return control::Expectation{state->time(), state->spike, state->time(), Seconds{0}};
      });
}

InputBoundPlant::InputBoundPlant(TwinNetwork& network, const InputPipeline& input, Seconds meter_lag,
                                 control::Knobs knobs, std::uint64_t seed)
    : network_(network),
      input_(input),
      lag_(meter_lag),
      knobs_(std::move(knobs)),
      twin_(network.gpu(), seed),
      sensor_(control::fastest_sensor(network.gpu())),
      random_(seed) {
  ERGON_EXPECTS(!knobs_.batches.empty() && !knobs_.clocks.empty());
  twin_.open_context();
  // The context has been open for a while.
  twin_.advance(Seconds{1});
  meter_power_ = twin_.true_power();
  segment_begin_ = twin_.now();
  next_update_ = segment_begin_ + sensor_.period;
}

Watts InputBoundPlant::idle_power() const {
  const device::Specification& gpu = network_.gpu();
  return shown(sensor_, device::resident_power(gpu, knobs_.clocks.front(), gpu.thermal.ambient));
}

Seconds InputBoundPlant::preparation(std::int64_t batch) {
  const auto images = static_cast<double>(batch);
  const double decoding = std::max(0.1, 1 + kImageScatter / std::sqrt(images) * random_.normal());
  const double call = std::max(0.1, 1 + kCallScatter * random_.normal());
  return input_.call * call + input_.image * (images * decoding);
}

void InputBoundPlant::end_segment() {
  const Seconds now = twin_.now();
  segments_.push_back({segment_begin_, now, shown(sensor_, segment_energy_ / (now - segment_begin_))});
  segment_begin_ = now;
  segment_energy_ = Joules{0};
  constexpr Seconds kTick{1e-6};
  if (now + kTick < next_update_) return;
  next_update_ += sensor_.period;
  const Watts reading = shown(sensor_, meter_power_) + sensor_.noise * random_.normal();
  if (now >= fresh_from_) highest_ = std::max(highest_.value_or(reading), reading);
}

void InputBoundPlant::advance(Seconds time) {
  const Seconds until = twin_.now() + time;
  for (bool done = false; !done;) {
    const Seconds end = segment_begin_ + kSegment;
    done = until < end;
    const Seconds step = std::max(Seconds{0}, std::min(until, end) - twin_.now());
    const Joules before = twin_.true_energy();
    twin_.advance(step);
    if (step > Seconds{0}) {
      const Watts power = (twin_.true_energy() - before) / step;
      const Watts lead = meter_power_ - power;
      const double gone = -std::expm1(-(step / lag_).si());
      segment_energy_ += power * step + lead * lag_ * gone;
      meter_power_ -= lead * gone;
    }
    if (!done) end_segment();
  }
}

Result<control::Feedback> InputBoundPlant::run(const control::Point& point,
                                               const control::Controller::DecisionInterval& interval) {
  ERGON_EXPECTS(point.clock && std::binary_search(knobs_.batches.begin(), knobs_.batches.end(), point.batch));
  const Seconds begun = twin_.now();
  if (const auto locked = twin_.lock_clock(*point.clock); !locked) return locked.error();
  const auto load = network_.load(point.batch);
  if (!load) return load.error();
  const auto activity = network_.activity(point);
  if (!activity) return activity.error();
  // After one lag the meter shows mostly the current batch.
  fresh_from_ = begun + lag_;
  highest_.reset();
  for (int i = 0; i < interval.batches; ++i) {
    advance(preparation(point.batch));
    twin_.run(*load, 1);
    advance(activity->time);
    // The rest of the batch, if the board has lowered the clock.
    constexpr Seconds kRest{1e-5};
    while (twin_.running()) advance(kRest);
  }
  control::Feedback feedback;
  feedback.at = twin_.now();
  feedback.lasted = twin_.now() - begun;
  feedback.point = point;
  feedback.samples = static_cast<double>(point.batch * interval.batches);
  feedback.power = highest_;
  feedback.latency = feedback.lasted / static_cast<double>(interval.batches);
  latencies_.push_back({*feedback.latency, feedback.samples});
  feedback.temperature = twin_.temperature();
  return feedback;
}

}  // namespace ergon::reproduce
