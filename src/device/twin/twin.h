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

// A simulated GPU with its own time, which moves only when it is told to. At time 0 nothing has run for long:
// the chip is bare and as warm as that makes it.
//
// What happens depends on the specification, the seed and on what was asked for at which moment, but not on
// the steps in which time moves. A copy is another GPU with the same past. Not for several threads at once.
class Twin {
 public:
  explicit Twin(Specification gpu, std::uint64_t seed = 0);

  const Specification& specification() const { return *gpu_; }

  // Time.
  Seconds now() const { return now_ - Instant{}; }
  // To the nanosecond; what is lost by rounding is made up for by later calls. Contract: 0 or more, and
  // within some centuries altogether.
  void advance(Seconds by);
  // Moves with a clock: the first call ties the moment to now(), later ones let pass what has passed since
  // the call before. A moment before that one changes nothing.
  void follow(Instant moment);

  // Controls.
  //
  // The chip runs at the highest clock of its grid that is not above this one, or lower where a limit holds
  // it down. Takes effect Specification::clock_switch after the first call that has not taken effect yet.
  // Errors: a clock that the chip does not have.
  Result<> lock_clock(Hertz clock);
  void unlock_clock();
  std::optional<Hertz> locked_clock() const { return locked_; }
  // Kept from the next tick of the regulator on; one below Specification::limit.holds_from settles there.
  // Errors: outside the range of the board.
  Result<> set_limit(Watts limit);
  Watts limit() const { return limit_; }

  // Work.
  //
  // With a context open the chip is awake: it draws more, and its clock is high. Closing ends what runs.
  void open_context();
  void close_context();
  bool has_context() const { return duty_ != Duty::bare; }
  // Iterations follow one another without end, or so many times; then the chip idles, with the context open.
  // Opens a context, and ends what ran before. Contract: the load has operations and was made for this chip.
  void run(std::shared_ptr<const Load> load);
  void run(std::shared_ptr<const Load> load, std::int64_t iterations);
  void stop();
  bool running() const { return duty_ == Duty::working; }
  // Since time 0, of all loads, the part of the current one that is done included.
  double iterations() const { return stretch_.at(now_).iterations; }

  // What a driver tells.
  //
  // As of the field's last update. Errors: a field that this GPU does not have.
  Result<Watts> power(std::string_view field) const;
  // The last updates of a field, oldest first, as a driver's buffer holds them. The same errors.
  using PowerUpdate = Sensor::Update;
  Result<std::vector<PowerUpdate>> history(std::string_view field) const;
  // Since time 0, as of the last update (every Specification::energy_counter_period). It integrates what the
  // power sensor measures, without gaps: its gain and offset are those of the first field. Errors: this GPU
  // counts no energy.
  Result<Joules> energy_counter() const;
  Hertz clock() const { return stretch_.point.clock; }
  Celsius temperature() const { return stretch_.at(now_).temperature; }
  Throttle throttle() const { return throttle_; }

  // What an ideal meter would tell.
  Watts true_power() const { return stretch_.point.power_at(temperature()); }
  Joules true_energy() const { return stretch_.at(now_).energy; }

 private:
  enum class Duty : std::uint8_t { bare, resident, working };

  void begin(Duty duty);
  void move_to(std::size_t step);
  void pass(std::int64_t by_ns);
  void plan();
  void happen();
  void work(std::shared_ptr<const Load> load, std::optional<double> iterations);
  void ask_for_ceiling(std::size_t step);
  void apply_ceiling();
  void regulate(const Stretch::State& state);
  Watts kept_limit() const;
  Result<const Sensor*> sensor(std::string_view field) const;
  OperatingPoints& points() { return duty_ == Duty::working ? working_ : resident_; }

  std::shared_ptr<const Specification> gpu_;
  ClockGrid grid_;
  OperatingPoint bare_;
  OperatingPoints resident_, working_;

  Instant now_;
  double lead_ns_ = 0;  // what was asked for beyond now_
  std::optional<Instant> followed_;

  std::optional<Hertz> locked_;
  std::size_t asked_ceiling_, ceiling_;
  Watts limit_;
  Regulator regulator_;
  Throttle throttle_;

  Duty duty_ = Duty::bare;
  std::size_t step_ = 0;  // meaningless while bare
  Stretch stretch_;
  std::optional<double> until_;  // the iterations at which work ends

  std::vector<Sensor> sensors_;
  Joules counter_;
  Joules at_tick_;  // drawn up to the regulator's last

  // When what happens next; next_ is the first of all.
  Instant tick_due_, counter_due_, switch_due_, end_due_, next_;
};

}  // namespace ergon::device
