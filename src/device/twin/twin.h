#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "device/twin/clock_grid.h"
#include "device/twin/load.h"
#include "device/twin/operating_point.h"
#include "device/twin/regulator.h"
#include "device/twin/sensor.h"
#include "device/twin/specification.h"

namespace ergon::device {

// A simulated GPU with its own time, which advances only by advance() and follow(). At time 0 the GPU is
// idle, without a context, and in thermal equilibrium.
//
// The state depends only on the specification, the seed and the calls with their times, not on the size of
// the time steps. A copy is another GPU with the same history. Not thread-safe.
class Twin {
 public:
  explicit Twin(Specification gpu, std::uint64_t seed = 0);

  const Specification& specification() const { return *gpu_; }

  // Time.
  Seconds now() const { return now_ - Instant{}; }
  // Rounded to nanoseconds; later calls compensate the rounding error. Contract: `by` >= 0, and the total
  // time is below 9e18 ns.
  void advance(Seconds by);
  // Follows an external clock: the first call maps `time` to now(), later calls advance by the difference to
  // the previous call. An earlier time is ignored.
  void follow(Instant time);

  // Controls.
  //
  // Limits the clock to the highest supported clock that is not above `clock`. Power or temperature limits
  // may lower it further. Takes effect Specification::clock_switch after the first pending call. Errors: an
  // unsupported clock.
  Result<> lock_clock(Hertz clock);
  void unlock_clock();
  std::optional<Hertz> locked_clock() const { return locked_; }
  // Enforced from the next regulator period on. A limit below Specification::limit.holds_from has the effect
  // of holds_from. Errors: an unsupported power limit.
  Result<> set_limit(Watts limit);
  Watts limit() const { return limit_; }

  // Work.
  //
  // An open context raises clock and idle power. Closing it stops the load.
  void open_context();
  void close_context();
  bool has_context() const { return duty_ != Duty::bare; }
  // Repeats iterations forever, or `iterations` times; then the GPU idles with the context open. Opens a
  // context and replaces the previous load. Contract: the load has operations and was made for this GPU.
  void run(std::shared_ptr<const Load> load);
  void run(std::shared_ptr<const Load> load, std::int64_t iterations);
  void stop();
  bool running() const { return duty_ == Duty::working; }
  // Since time 0, over all loads, including the completed part of the current iteration.
  double iterations() const { return phase_.at(now_).iterations; }

  // Readings of the driver.
  //
  // The value of the last update. Errors: unsupported for a field that this GPU does not have.
  Result<Watts> power(std::string_view field) const;
  // The driver's sample buffer of a field, oldest first. Errors: as power().
  using PowerUpdate = Sensor::Update;
  Result<std::vector<PowerUpdate>> history(std::string_view field) const;
  // Energy since time 0 at the last update (every Specification::energy_counter_period). Has the gain and
  // offset of the first power field, without gaps. Errors: unsupported if this GPU has no energy counter.
  Result<Joules> energy_counter() const;
  Hertz clock() const { return phase_.point.clock; }
  Celsius temperature() const { return phase_.at(now_).temperature; }
  Throttle throttle() const { return throttle_; }

  // Readings of an ideal meter.
  Watts true_power() const { return phase_.point.power_at(temperature()); }
  Joules true_energy() const { return phase_.at(now_).energy; }

 private:
  // No context; idle with a context; running a load.
  enum class Duty : std::uint8_t { bare, resident, working };

  void begin(Duty duty);
  void move_to(std::size_t step);
  void advance_ns(std::int64_t by_ns);
  void schedule();
  void process_events();
  void work(std::shared_ptr<const Load> load, std::optional<double> iterations);
  void request_ceiling(std::size_t step);
  void apply_ceiling();
  void regulate(const OperatingPhase::State& state);
  Watts effective_limit() const;
  Result<const Sensor*> sensor(std::string_view field) const;
  OperatingPoints& points() { return duty_ == Duty::working ? working_ : resident_; }

  std::shared_ptr<const Specification> gpu_;
  ClockGrid grid_;
  OperatingPoint bare_;
  OperatingPoints resident_, working_;

  Instant now_;
  double lead_ns_ = 0;  // rounding error: requested time minus now_
  std::optional<Instant> followed_;

  std::optional<Hertz> locked_;
  std::size_t requested_ceiling_, ceiling_;
  Watts limit_;
  Regulator regulator_;
  Throttle throttle_;

  Duty duty_ = Duty::bare;
  std::size_t step_ = 0;  // unused while bare
  OperatingPhase phase_;
  std::optional<double> until_;  // iteration count at which the load ends

  std::vector<Sensor> sensors_;
  Joules counter_;
  Joules at_tick_;  // energy at the last regulator tick

  // Times of the next events; next_ is the earliest.
  Instant tick_due_, counter_due_, switch_due_, end_due_, next_;
};

}  // namespace ergon::device
