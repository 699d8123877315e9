#include <algorithm>
#include <cmath>
#include <ergon/cap_loop.h>
#include <utility>

#include <fmt/format.h>

#include "api/access.h"
#include "api/cap_convert.h"
#include "base/number_text.h"
#include "control/plants/interval_power.h"
#include "control/run.h"
#include "meter/meter.h"

namespace ergon {
namespace {

constexpr Seconds kIdleTime{1};
constexpr Seconds kPollInterval{0.01};

Result<> check_cap(Watts cap, Watts idle) {
  if (!std::isfinite(cap.si())) return fail(Errc::invalid_input, "a cap of {} W is not a power", cap.si());
  if (cap >= idle) return {};
  return fail(Errc::invalid_input, "a cap of {} W is below {} W, the power without work",
              grouped_text(cap.si()), grouped_text(idle.si()));
}

}  // namespace

struct CapLoop::State {
  SystemClock clock;
  std::shared_ptr<device::Device> device;  // outlives the meter
  meter::SensorFacts sensor;
  std::unique_ptr<meter::Meter> meter;
  std::optional<CapController> controller;
  Watts cap, idle;
  CapAction action;
  Instant began;  // of the loop

  // The interval of the next decision.
  std::optional<control::IntervalPower> power;
  control::StuckSensorCheck stuck;
  bool changed = true;  // its point is new: the first batch is not counted
  Seconds from;
  Seconds longest;
  int batches = 0;
  std::optional<Seconds> batch_began;

  control::CapRun run;
  Seconds segments_until;

  Seconds now() const { return clock.now() - began; }

  // Takes the power readings since the last call.
  void take_readings() {
    const auto traces = meter->take_traces();
    for (const meter::TracePoint& each : traces.front()) {
      const Seconds at = each.at - began;
      stuck.add(each.power);
      if (power) power->add(at, each.power);
      if (at <= Seconds{0}) continue;
      run.segments.push_back({{std::max(segments_until, at - sensor.period), at, each.power}, cap});
      segments_until = at;
    }
  }

  Result<> measure_idle(const std::stop_token& stop) {
    const Instant from_instant = clock.now() + sensor.window, until = from_instant + kIdleTime;
    Watts sum;
    int count = 0;
    while (clock.now() < until || (count == 0 && clock.now() < until + control::kSensorTimeout)) {
      if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
      clock.sleep_until(clock.now() + kPollInterval);
      const auto traces = meter->take_traces();
      for (const meter::TracePoint& each : traces.front()) {
        if (each.at < from_instant) continue;
        sum += each.power;
        ++count;
      }
    }
    if (count == 0) return fail(Errc::device_lost, "{}: no power reading", device->identity().id);
    idle = sum / count;
    return {};
  }

  void begin_interval() {
    const auto [batches_needed, updates] = controller->decision_interval();
    from = now();
    power.emplace(sensor, control::Controller::DecisionInterval{batches_needed, updates}, changed, from);
    batches = 0;
    longest = Seconds{0};
  }

  bool interval_complete() const {
    return batches >= controller->decision_interval().batches && !power->incomplete(now());
  }

  control::Feedback feedback() {
    control::Feedback measured;
    measured.at = now();
    measured.lasted = measured.at - from;
    measured.point = api::internal_point(action.point);
    measured.samples = static_cast<double>(action.point.batch) * batches;
    measured.latency = longest;
    measured.cap = cap;
    if (const auto temperature = device->temperature()) measured.temperature = *temperature;
    power->write_to(measured, stuck);
    return measured;
  }

  void decide() {
    const control::Feedback measured = feedback();
    CapAction next = controller->step(api::public_feedback(measured));
    record_compliance(measured);
    run.latencies.add(longest.si(), measured.samples);
    run.decisions.push_back({measured, {api::internal_point(next.point), next.reason}});
    changed = next.point != action.point;
    action = std::move(next);
    power.reset();
  }

  void record_compliance(const control::Feedback& measured) {
    control::Compliance& last = run.caps.back();
    if (last.took) return;
    ++last.decisions;
    if (measured.power && measured.mean_power.value_or(*measured.power) <= last.cap)
      last.took = now() - last.at;
  }
};

CapLoop::CapLoop(std::unique_ptr<State> state) : state_(std::move(state)) {}
CapLoop::CapLoop(CapLoop&&) noexcept = default;
CapLoop& CapLoop::operator=(CapLoop&&) noexcept = default;
CapLoop::~CapLoop() = default;

Result<CapLoop> CapLoop::start(const Device& device, const OperatingPoints& points, Watts cap,
                               const CapLoopOptions& options, const std::stop_token& stop) {
  if (options.idle_power && !(*options.idle_power > Watts{0} && std::isfinite(options.idle_power->si())))
    return fail(Errc::invalid_input, "idle_power: {} W is not above 0", options.idle_power->si());
  if (const auto& latency = options.controller.max_latency;
      latency && !(*latency > Seconds{0} && std::isfinite(latency->si())))
    return fail(Errc::invalid_input, "max_latency: {} s is not above 0", latency->si());
  auto state = std::make_unique<State>();
  state->device = Access::device(device);
  auto sensor = meter::best_sensor(*state->device);
  if (!sensor) return sensor.error();
  state->sensor = std::move(*sensor);
  auto meter =
      meter::Meter::start({state->device.get()}, state->clock, {.keep_readings = true, .prompt = true}, stop);
  if (!meter) return meter.error();
  state->meter = std::move(*meter);
  state->cap = cap;
  if (options.idle_power) {
    state->idle = *options.idle_power;
  } else if (auto measured = state->measure_idle(stop); !measured) {
    return measured.error();
  }
  if (auto fine = check_cap(cap, state->idle); !fine) return fine.error();
  ControllerOptions controller = options.controller;
  if (const auto limits = state->device->power_limits()) controller.max_power = limits->max;
  auto made = CapController::make(points, state->idle, controller);
  if (!made) return made.error();
  state->controller.emplace(std::move(*made));
  state->began = state->clock.now();
  state->run.controller = std::string(state->controller->name());
  state->run.caps.push_back({Seconds{0}, cap, "caller", {}, 0});
  state->action = state->controller->first(cap);
  return CapLoop(std::move(state));
}

const BatchAndClock& CapLoop::point() const { return state_->action.point; }
Watts CapLoop::cap() const { return state_->cap; }
Watts CapLoop::idle_power() const { return state_->idle; }

Result<> CapLoop::set_cap(Watts cap) {
  if (auto fine = check_cap(cap, state_->idle); !fine) return fine;
  if (cap == state_->cap) return {};
  state_->cap = cap;
  state_->run.caps.push_back({state_->now(), cap, "caller", {}, 0});
  return {};
}

void CapLoop::begin_batch() {
  if (!state_->changed && !state_->power) state_->begin_interval();
  state_->batch_began = state_->now();
}

Result<> CapLoop::end_batch() {
  if (!state_->batch_began) return fail(Errc::invalid_input, "no batch was begun");
  const Seconds took = state_->now() - *std::exchange(state_->batch_began, std::nullopt);
  if (const auto failure = state_->meter->recorders().front()->failure()) return *failure;
  state_->take_readings();
  if (!state_->power) {  // the first batch at a new point: libraries initialize for each new size
    state_->begin_interval();
    state_->changed = false;
    return {};
  }
  ++state_->batches;
  state_->longest = std::max(state_->longest, took);
  state_->power->add_newest(state_->stuck);
  if (state_->interval_complete()) state_->decide();
  return {};
}

CapResult CapLoop::result() const { return api::public_result(state_->run); }

}  // namespace ergon
