// Discrete-event simulation. Between two events the operating point is constant and the state has a closed
// form. Events: a sensor window begins or ends, the energy counter is published, the regulator ticks, a
// requested clock takes effect, the last iteration ends. None of them depends on the caller's time steps, so
// the result does not either, and a call without an event costs one comparison.
//
// Time is in integer nanoseconds, so that events with commensurate periods coincide exactly.

#include "device/twin/twin.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/contract.h"
#include "device/twin/steady_state.h"

namespace ergon::device {
namespace {

constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};
constexpr double kMaxNs = 9e18;  // fits into 64 bits

Instant later(Instant time, Seconds by) { return {time.ns + nanoseconds(by)}; }

}  // namespace

Twin::Twin(Specification gpu, std::uint64_t seed)
    : gpu_(std::make_shared<const Specification>(std::move(gpu))),
      grid_(gpu_->core),
      bare_(bare_point(*gpu_)),
      resident_(gpu_, nullptr),
      working_(gpu_, nullptr),
      requested_ceiling_(grid_.highest()),
      ceiling_(grid_.highest()),
      limit_(gpu_->limit.default_limit),
      regulator_(*gpu_),
      tick_due_(later({}, gpu_->limit.period)),
      counter_due_(gpu_->energy_counter_period ? later({}, *gpu_->energy_counter_period) : kNever),
      switch_due_(kNever),
      end_due_(kNever) {
  ERGON_EXPECTS(tick_due_ > Instant{} && counter_due_ > Instant{});
  phase_.point = bare_;
  phase_.reached.temperature = bare_.temperature;
  Random seeds(seed);
  for (const SensorModel& model : gpu_->sensors) {
    sensors_.emplace_back(model, bare_.power, seeds.bits());
    // A seed per field: whether fields share a reading does not change the noise of the others.
    for (std::size_t i = 0; i < model.also.size(); ++i) seeds.bits();
  }
  schedule();
}

void Twin::advance(Seconds by) {
  const double ns = by.si() * 1e9 + lead_ns_;
  ERGON_EXPECTS(by >= Seconds{0} && ns < kMaxNs - static_cast<double>(now_.ns));
  const std::int64_t whole = std::max<std::int64_t>(0, std::llround(ns));
  lead_ns_ = ns - static_cast<double>(whole);
  advance_ns(whole);
}

void Twin::follow(Instant time) {
  if (!followed_) followed_ = time;
  if (time <= *followed_) return;
  const std::int64_t passed = time.ns - followed_->ns;
  followed_ = time;
  advance_ns(passed);
}

void Twin::advance_ns(std::int64_t by_ns) {
  const Instant until{now_.ns + by_ns};
  while (next_ <= until) {
    now_ = next_;
    process_events();
    schedule();
  }
  now_ = until;
}

void Twin::schedule() {
  next_ = std::min({tick_due_, counter_due_, switch_due_, end_due_});
  for (const Sensor& sensor : sensors_) next_ = std::min(next_, sensor.due());
}

void Twin::process_events() {
  const OperatingPhase::State state = phase_.at(now_);
  for (Sensor& sensor : sensors_) {
    if (sensor.due() == now_) sensor.add_energy(state.energy);
  }
  if (counter_due_ == now_) {
    const SensorModel& sensor = gpu_->sensors.front();
    counter_ = state.energy * sensor.gain + sensor.offset * now();
    counter_due_ = later(now_, *gpu_->energy_counter_period);
  }
  if (end_due_ == now_) stop();
  // The regulator precedes the clock switch: it evaluates the period that ends now.
  if (tick_due_ == now_) regulate(state);
  if (switch_due_ == now_) apply_ceiling();
}

// Starts a new phase now, from the state that the old phase has reached.
void Twin::move_to(std::size_t step) {
  step_ = step;
  phase_.reached = phase_.at(now_);
  // The last iteration ends within a nanosecond of now_: round to the requested count.
  if (until_ && end_due_ == now_) phase_.reached.iterations = *until_;
  phase_.begin = now_;
  phase_.point = duty_ == Duty::bare ? bare_ : points().at(step);
  end_due_ = kNever;
  if (until_ && duty_ == Duty::working) {
    const double iterations = std::max(0.0, *until_ - phase_.reached.iterations);
    const double ns = std::ceil((phase_.point.iteration * iterations).si() * 1e9);
    if (ns < kMaxNs - static_cast<double>(now_.ns)) {
      end_due_ = Instant{now_.ns + static_cast<std::int64_t>(ns)};
    }
  }
}

// The clock is unchanged when a load starts or ends while a context is open; only the regulator changes it.
// Otherwise pauses between loads would bypass the power limit.
void Twin::begin(Duty duty) {
  const bool wakes = duty_ == Duty::bare;
  duty_ = duty;
  if (duty == Duty::bare) throttle_ = {};
  move_to(wakes ? ceiling_ : step_);
  if (duty != Duty::working) until_.reset();
  schedule();
}

void Twin::open_context() {
  if (duty_ == Duty::bare) begin(Duty::resident);
}

void Twin::close_context() {
  if (duty_ != Duty::bare) begin(Duty::bare);
}

void Twin::run(std::shared_ptr<const Load> load) { work(std::move(load), std::nullopt); }

void Twin::run(std::shared_ptr<const Load> load, std::int64_t iterations) {
  ERGON_EXPECTS(iterations >= 0);
  if (iterations == 0) return stop(), open_context();
  work(std::move(load), static_cast<double>(iterations));
}

void Twin::work(std::shared_ptr<const Load> load, std::optional<double> iterations) {
  ERGON_EXPECTS(load);
  if (load != working_.load()) working_ = OperatingPoints(gpu_, std::move(load));
  end_due_ = kNever;
  until_.reset();
  if (iterations) until_ = this->iterations() + *iterations;
  begin(Duty::working);
}

void Twin::stop() {
  if (duty_ == Duty::working) begin(Duty::resident);
}

Result<> Twin::lock_clock(Hertz clock) {
  if (auto checked = check({.clock = clock}, *gpu_); !checked) return checked;
  locked_ = clock;
  request_ceiling(grid_.step_at_or_below(clock));
  return {};
}

void Twin::unlock_clock() {
  locked_.reset();
  request_ceiling(grid_.highest());
}

void Twin::request_ceiling(std::size_t step) {
  requested_ceiling_ = step;
  if (requested_ceiling_ == ceiling_) {
    switch_due_ = kNever;
  } else if (switch_due_ == kNever) {
    switch_due_ = later(now_, gpu_->clock_switch);
  }
  schedule();
}

void Twin::apply_ceiling() {
  switch_due_ = kNever;
  ceiling_ = requested_ceiling_;
  if (duty_ != Duty::bare) {
    move_to(regulator_.highest_within(points(), ceiling_, effective_limit(), temperature()));
  }
}

Result<> Twin::set_limit(Watts limit) {
  if (auto checked = check({.limit = limit}, *gpu_); !checked) return checked;
  limit_ = limit;
  return {};
}

Watts Twin::effective_limit() const { return std::max(limit_, gpu_->limit.holds_from); }

void Twin::regulate(const OperatingPhase::State& state) {
  const Joules drawn = state.energy - at_tick_;
  at_tick_ = state.energy;
  tick_due_ = later(now_, gpu_->limit.period);
  if (duty_ == Duty::bare) return;
  const Regulator::NextStep next =
      regulator_.choose(points(), {step_, ceiling_, effective_limit(), state.temperature, drawn});
  throttle_ = next.throttle;
  if (next.step != step_) move_to(next.step);
}

Result<const Sensor*> Twin::sensor(std::string_view field) const {
  for (const Sensor& each : sensors_) {
    if (each.answers(field)) return &each;
  }
  return fail(Errc::unsupported, "{} has no power reading \"{}\"", gpu_->name, field);
}

Result<Watts> Twin::power(std::string_view field) const {
  const auto found = sensor(field);
  if (!found) return found.error();
  return (*found)->reading();
}

Result<std::vector<Twin::PowerUpdate>> Twin::history(std::string_view field) const {
  const auto found = sensor(field);
  if (!found) return found.error();
  return (*found)->history();
}

Result<Joules> Twin::energy_counter() const {
  if (!gpu_->energy_counter_period) return fail(Errc::unsupported, "{} has no energy counter", gpu_->name);
  return counter_;
}

}  // namespace ergon::device
