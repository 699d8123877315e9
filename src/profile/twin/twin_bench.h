#pragma once

#include <memory>
#include <optional>

#include "base/clock.h"
#include "device/twin/twin_device.h"
#include "meter/recorder.h"
#include "profile/engine.h"
#include "profile/power_watch.h"

namespace ergon::profile {

// The time of a twin, which passes when somebody sleeps.
class TwinClock final : public Clock {
 public:
  TwinClock(device::Twin& twin, Timestamp epoch) : twin_(twin), epoch_(epoch) {}

  Instant now() const override { return Instant{} + twin_.now(); }
  Timestamp wall_now() const override { return {epoch_.ns + now().ns}; }
  void sleep_until(Instant due) override {
    if (due > now()) twin_.advance(due - now());
  }

 private:
  device::Twin& twin_;
  Timestamp epoch_;
};

// A simulated GPU with everything a bench has: it runs work, and a recorder watches what its sensors say.
// All in simulated time, which passes as fast as it can be computed.
class TwinBench final : public Engine, public PowerWatch {
 public:
  // `epoch`: the wall's time when the simulation begins. Errors: a GPU without any power reading.
  static Result<std::unique_ptr<TwinBench>> open(const device::Specification& gpu, Timestamp epoch,
                                                 std::uint64_t seed = 1);

  const EngineFacts& facts() const override { return facts_; }
  Result<> check(const graph::Network& network, const graph::Content* content,
                 const Condition& condition) override;
  Result<std::unique_ptr<Prepared>> prepare(const graph::Network& network, const Condition& condition,
                                            const Preparation& preparation) override;

  std::unique_ptr<Watched> open() override;
  std::optional<Celsius> temperature() override { return twin_.temperature(); }
  Seconds shortest() const override { return shortest_; }
  Seconds blur() const override { return blur_; }

  Clock& clock() { return clock_; }
  device::Twin& twin() { return twin_; }
  // Locks the core clock, or frees it. Errors: a clock that this GPU does not have.
  Result<> hold_clock(std::optional<Hertz> clock);
  // Work that was placed on this GPU before. Contract: the load was made for its specification.
  std::unique_ptr<Prepared> work(std::shared_ptr<const device::Load> load);
  // Lets time pass, in which the GPU has nothing to do.
  void rest(Seconds time) { pass(time); }

 private:
  friend class TwinWork;
  friend class TwinWindow;
  TwinBench(const device::Specification& gpu, Timestamp epoch, std::uint64_t seed);
  // Lets time pass while the recorder reads whenever it is due.
  void pass(Seconds time);
  void read_once();

  EngineFacts facts_;
  device::Twin twin_;
  TwinClock clock_;
  device::TwinDevice device_;
  std::unique_ptr<meter::Recorder> recorder_;
  Instant due_;
  Seconds shortest_, blur_;
};

}  // namespace ergon::profile
