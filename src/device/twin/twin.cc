// Between two events the twin is at one operating point, where everything has a closed form; moving its time
// is counting up to the next event. Events are where the driver or the board acts, by their own periods: a
// sensor's window begins or ends, the energy counter is published, the regulator ticks, a clock that was
// asked for is reached, the last iteration ends. As none of them is a step of the caller, how time is cut
// into calls makes no difference; and a call in which nothing happens costs one comparison.
//
// Time is counted in whole nanoseconds, so that events with commensurate periods meet exactly.

#include "device/twin/twin.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/contract.h"
#include "device/twin/steady.h"

namespace ergon::device {
namespace {

constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};
constexpr double kLongest = 9e18;  // in nanoseconds; fits into 64 bits

Instant later(Instant moment, Seconds by) { return {moment.ns + nanoseconds(by)}; }

}  // namespace

Twin::Twin(Specification gpu, std::uint64_t seed)
    : gpu_(std::make_shared<const Specification>(std::move(gpu))),
      grid_(gpu_->core),
      bare_(bare_point(*gpu_)),
      resident_(gpu_, nullptr),
      working_(gpu_, nullptr),
      asked_ceiling_(grid_.highest()),
      ceiling_(grid_.highest()),
      limit_(gpu_->limit.usual),
      regulator_(*gpu_),
      tick_due_(later({}, gpu_->limit.period)),
      counter_due_(gpu_->energy_counter_period ? later({}, *gpu_->energy_counter_period) : kNever),
      switch_due_(kNever),
      end_due_(kNever) {
  ERGON_EXPECTS(tick_due_ > Instant{} && counter_due_ > Instant{});
  stretch_.point = bare_;
  stretch_.reached.temperature = bare_.temperature;
  Random seeds(seed);
  for (const SensorModel& model : gpu_->sensors) sensors_.emplace_back(model, bare_.power, seeds.bits());
  plan();
}

void Twin::advance(Seconds by) {
  const double ns = by.si() * 1e9 + lead_ns_;
  ERGON_EXPECTS(by >= Seconds{0} && ns < kLongest - static_cast<double>(now_.ns));
  const std::int64_t whole = std::max<std::int64_t>(0, std::llround(ns));
  lead_ns_ = ns - static_cast<double>(whole);
  pass(whole);
}

void Twin::follow(Instant moment) {
  if (!followed_) followed_ = moment;
  if (moment <= *followed_) return;
  const std::int64_t passed = moment.ns - followed_->ns;
  followed_ = moment;
  pass(passed);
}

void Twin::pass(std::int64_t by_ns) {
  const Instant until{now_.ns + by_ns};
  while (next_ <= until) {
    now_ = next_;
    happen();
    plan();
  }
  now_ = until;
}

void Twin::plan() {
  next_ = std::min({tick_due_, counter_due_, switch_due_, end_due_});
  for (const Sensor& sensor : sensors_) next_ = std::min(next_, sensor.due());
}

void Twin::happen() {
  const Stretch::State state = stretch_.at(now_);
  for (Sensor& sensor : sensors_) {
    if (sensor.due() == now_) sensor.see(state.energy);
  }
  if (counter_due_ == now_) {
    const SensorModel& sensor = gpu_->sensors.front();
    counter_ = state.energy * sensor.gain + sensor.offset * now();
    counter_due_ = later(now_, *gpu_->energy_counter_period);
  }
  if (end_due_ == now_) stop();
  // The regulator goes first: it has to see the period that ends here as it was.
  if (tick_due_ == now_) regulate(state);
  if (switch_due_ == now_) apply_ceiling();
}

// Begins another stretch at this moment, with what the old one has reached.
void Twin::move_to(std::size_t step) {
  step_ = step;
  stretch_.reached = stretch_.at(now_);
  // What was asked for is done, though the last iteration ended within a nanosecond of now_.
  if (until_ && end_due_ == now_) stretch_.reached.iterations = *until_;
  stretch_.begin = now_;
  stretch_.point = duty_ == Duty::bare ? bare_ : points().at(step);
  end_due_ = kNever;
  if (until_ && duty_ == Duty::working) {
    const double iterations = std::max(0.0, *until_ - stretch_.reached.iterations);
    const double ns = std::ceil((stretch_.point.iteration * iterations).si() * 1e9);
    if (ns < kLongest - static_cast<double>(now_.ns)) {
      end_due_ = Instant{now_.ns + static_cast<std::int64_t>(ns)};
    }
  }
}

// An awake chip keeps its clock when work begins or ends, so that pauses between runs are no way around a
// limit: the regulator moves it.
void Twin::begin(Duty duty) {
  const bool wakes = duty_ == Duty::bare;
  duty_ = duty;
  if (duty == Duty::bare) throttle_ = {};
  move_to(wakes ? ceiling_ : step_);
  if (duty != Duty::working) until_.reset();
  plan();
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
  ask_for_ceiling(grid_.at_most(clock));
  return {};
}

void Twin::unlock_clock() {
  locked_.reset();
  ask_for_ceiling(grid_.highest());
}

void Twin::ask_for_ceiling(std::size_t step) {
  asked_ceiling_ = step;
  if (asked_ceiling_ == ceiling_) {
    switch_due_ = kNever;
  } else if (switch_due_ == kNever) {
    switch_due_ = later(now_, gpu_->clock_switch);
  }
  plan();
}

void Twin::apply_ceiling() {
  switch_due_ = kNever;
  ceiling_ = asked_ceiling_;
  if (duty_ != Duty::bare) {
    move_to(regulator_.highest_within(points(), ceiling_, kept_limit(), temperature()));
  }
}

Result<> Twin::set_limit(Watts limit) {
  if (auto checked = check({.limit = limit}, *gpu_); !checked) return checked;
  limit_ = limit;
  return {};
}

Watts Twin::kept_limit() const { return std::max(limit_, gpu_->limit.holds_from); }

void Twin::regulate(const Stretch::State& state) {
  const Joules drawn = state.energy - at_tick_;
  at_tick_ = state.energy;
  tick_due_ = later(now_, gpu_->limit.period);
  if (duty_ == Duty::bare) return;
  const Regulator::Choice choice =
      regulator_.choose(points(), {step_, ceiling_, kept_limit(), state.temperature, drawn});
  throttle_ = choice.throttle;
  if (choice.step != step_) move_to(choice.step);
}

Result<const Sensor*> Twin::sensor(std::string_view field) const {
  for (const Sensor& each : sensors_) {
    if (each.field() == field) return &each;
  }
  return fail(Errc::unsupported, "{} has no power reading called \"{}\"", gpu_->name, field);
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
  if (!gpu_->energy_counter_period) return fail(Errc::unsupported, "{} counts no energy", gpu_->name);
  return counter_;
}

}  // namespace ergon::device
