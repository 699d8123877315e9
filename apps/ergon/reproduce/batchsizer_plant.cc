#include "reproduce/batchsizer_plant.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "control/twin_plant.h"
#include "device/twin/clock_grid.h"
#include "device/twin/kernel.h"
#include "device/twin/steady.h"

namespace ergon::app {
namespace {

// The P40 has neither matrix units nor fast 16 bit arithmetic.
constexpr auto kPrecision = device::Precision::fp32;
// Of one image's decoding and of a call, as shares. Assumed: nothing was published.
constexpr double kImageScatter = 0.5, kCallScatter = 0.05;
// How finely passed() tells power.
constexpr Seconds kPiece{0.01};

Watts shown(const device::SensorModel& sensor, Watts truth) { return truth * sensor.gain + sensor.offset; }

Hertz reached(const device::Specification& gpu, Hertz asked) {
  const device::ClockGrid grid(gpu.core);
  return grid.at(grid.at_most(asked));
}

}  // namespace

Result<std::shared_ptr<const device::Load>> PlacedNetwork::load(std::int64_t batch) {
  auto& known = loads_[batch];
  if (!known) {
    const auto work = device::workload_of(network_, batch, graph::Mode::inference, kPrecision);
    if (!work) return work.error();
    known = std::make_shared<const device::Load>(*work, gpu_);
  }
  return known;
}

Result<device::Activity> PlacedNetwork::activity(const control::Point& point) {
  ERGON_EXPECTS(point.clock);
  const Hertz clock = reached(gpu_, *point.clock);
  const std::pair key{point.batch, clock.si()};
  if (const auto known = activities_.find(key); known != activities_.end()) return known->second;
  const auto placed = load(point.batch);
  if (!placed) return placed.error();
  return activities_.emplace(key, (*placed)->at(clock)).first->second;
}

// The chip's temperature hardly changes within a batch, so that it follows the mean power.
//
// The meter goes towards `working` for the time of an execution and back towards `idle` while the next batch
// is prepared: metered = power + (before - power) exp(-time / lag). In the long run it ends every cycle where
// it began, at a share (1 - exp(-x)) / (1 - exp(-x - y)) of the way up when an execution of x lags ends and a
// preparation of y lags follows.
Result<FedState> fed_state(PlacedNetwork& network, const InputPipeline& input, Seconds meter_lag,
                           const control::Point& point) {
  const auto activity = network.activity(point);
  if (!activity) return activity.error();
  const device::Specification& gpu = network.gpu();
  const device::SensorModel& sensor = control::quickest_sensor(gpu);
  const Hertz clock = reached(gpu, *point.clock);
  const Seconds prepared = input.of(point.batch), executed = activity->time;
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
  return FedState{prepared, executed, shown(sensor, working), shown(sensor, spike), shown(sensor, mean)};
}

Result<control::GridSurface> fed_surface(PlacedNetwork& network, const InputPipeline& input,
                                         Seconds meter_lag, const control::Knobs& knobs) {
  const auto batches = control::telling_batches(knobs.batches.front(), knobs.batches.back());
  return control::GridSurface::of(
      batches, knobs.clocks, [&](const control::Point& point) -> Result<control::Expectation> {
        const auto state = fed_state(network, input, meter_lag, point);
        if (!state) return state.error();
        // Of the time nothing is known but its sum: as if all of it were kernels.
        return control::Expectation{state->time(), state->spike, state->time(), Seconds{0}};
      });
}

FedPlant::FedPlant(PlacedNetwork& network, const InputPipeline& input, Seconds meter_lag,
                   control::Knobs knobs, std::uint64_t seed)
    : network_(network),
      input_(input),
      lag_(meter_lag),
      knobs_(std::move(knobs)),
      twin_(network.gpu(), seed),
      sensor_(control::quickest_sensor(network.gpu())),
      random_(seed) {
  ERGON_EXPECTS(!knobs_.batches.empty() && !knobs_.clocks.empty());
  twin_.open_context();
  // The chip has been awake for a while.
  twin_.advance(Seconds{1});
  metered_ = twin_.true_power();
  piece_began_ = twin_.now();
  next_update_ = piece_began_ + sensor_.period;
}

Watts FedPlant::idle_power() const {
  const device::Specification& gpu = network_.gpu();
  return shown(sensor_, device::resident_power(gpu, knobs_.clocks.front(), gpu.thermal.ambient));
}

Seconds FedPlant::preparation(std::int64_t batch) {
  const double images = static_cast<double>(batch);
  const double decoding = std::max(0.1, 1 + kImageScatter / std::sqrt(images) * random_.normal());
  const double call = std::max(0.1, 1 + kCallScatter * random_.normal());
  return input_.call * call + input_.image * (images * decoding);
}

void FedPlant::look() {
  const Seconds now = twin_.now();
  passed_.push_back({piece_began_, now, shown(sensor_, piece_energy_ / (now - piece_began_))});
  piece_began_ = now;
  piece_energy_ = Joules{0};
  constexpr Seconds kTick{1e-6};
  if (now + kTick < next_update_) return;
  next_update_ += sensor_.period;
  const Watts reading = shown(sensor_, metered_) + sensor_.noise * random_.normal();
  if (now >= fresh_from_) highest_ = std::max(highest_.value_or(reading), reading);
}

void FedPlant::pass(Seconds time) {
  const Seconds until = twin_.now() + time;
  for (bool done = false; !done;) {
    const Seconds end = piece_began_ + kPiece;
    done = until < end;
    const Seconds step = std::max(Seconds{0}, std::min(until, end) - twin_.now());
    const Joules before = twin_.true_energy();
    twin_.advance(step);
    if (step > Seconds{0}) {
      const Watts power = (twin_.true_energy() - before) / step;
      const Watts lead = metered_ - power;
      const double gone = -std::expm1(-(step / lag_).si());
      piece_energy_ += power * step + lead * lag_ * gone;
      metered_ -= lead * gone;
    }
    if (!done) look();
  }
}

Result<control::Reading> FedPlant::run(const control::Point& point,
                                       const control::Controller::Patience& patience) {
  ERGON_EXPECTS(point.clock && std::binary_search(knobs_.batches.begin(), knobs_.batches.end(), point.batch));
  const Seconds begun = twin_.now();
  if (const auto locked = twin_.lock_clock(*point.clock); !locked) return locked.error();
  const auto load = network_.load(point.batch);
  if (!load) return load.error();
  const auto activity = network_.activity(point);
  if (!activity) return activity.error();
  // By then the meter has forgotten most of the batch before.
  fresh_from_ = begun + lag_;
  highest_.reset();
  for (int i = 0; i < patience.batches; ++i) {
    pass(preparation(point.batch));
    twin_.run(*load, 1);
    pass(activity->time);
    // Whatever is left of it, should the board have lowered the clock.
    constexpr Seconds kRest{1e-5};
    while (twin_.running()) pass(kRest);
  }
  control::Reading reading;
  reading.at = twin_.now();
  reading.lasted = twin_.now() - begun;
  reading.point = point;
  reading.samples = static_cast<double>(point.batch * patience.batches);
  reading.power = highest_;
  reading.latency = reading.lasted / static_cast<double>(patience.batches);
  latencies_.push_back({*reading.latency, reading.samples});
  reading.temperature = twin_.temperature();
  return reading;
}

}  // namespace ergon::app
