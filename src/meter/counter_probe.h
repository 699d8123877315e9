#pragma once

#include <optional>

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

// Finds the time at which the energy counter steps. The counter is updated periodically, so a single read is
// up to one update old. A probe reads repeatedly until the value changes. A read takes milliseconds on an
// H200, so the counter is probed only on request.
class CounterProbe {
 public:
  struct Step {
    Instant at;
    Seconds bracket;  // the step is within +- half of this
    Joules counted;
  };

  void request() { requested_ = true; }
  bool requested() const { return requested_; }
  // Adds a read with its start and end times. Returns the step when the value changed; that ends the probe.
  std::optional<Step> read(Instant began, Instant ended, Joules counted);
  // Time since the first read of this probe, during which the value has not changed.
  Seconds unchanged(Instant now) const { return first_ ? now - *first_ : Seconds{}; }
  // Discards all reads and ends the probe.
  void reset() { last_.reset(), first_.reset(), requested_ = false; }

 private:
  struct CounterRead {
    Instant began;
    Joules counted;
  };
  bool requested_ = false;
  std::optional<CounterRead> last_;
  std::optional<Instant> first_;
};

}  // namespace ergon::meter
