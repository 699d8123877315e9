#pragma once

#include <optional>

#include "base/clock.h"
#include "base/units.h"

namespace ergon::meter {

// An energy counter steps every so often, and a read between two steps tells the energy of the last one, not
// of now. A probe reads until the counter steps, and so knows when. On an H200 a read takes milliseconds, so
// there is a probe when one is wanted, and none otherwise.
class CounterProbe {
 public:
  struct Step {
    Instant at;
    Seconds bracket;  // the step lies within half of this on either side
    Joules counted;
  };

  void want() { wanted_ = true; }
  bool wanted() const { return wanted_; }
  // A read that began and ended at these moments. Gives the step that it shows, which ends the probe.
  std::optional<Step> read(Instant began, Instant ended, Joules counted);
  // How long this probe has seen the same.
  Seconds unchanged(Instant now) const { return first_ ? now - *first_ : Seconds{}; }
  // What was seen so far tells nothing.
  void abandon() { last_.reset(), first_.reset(), wanted_ = false; }

 private:
  struct Seen {
    Instant began;
    Joules counted;
  };
  bool wanted_ = false;
  std::optional<Seen> last_;  // of this probe
  std::optional<Instant> first_;
};

}  // namespace ergon::meter
