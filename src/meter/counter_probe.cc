#include "meter/counter_probe.h"

namespace ergon::meter {

std::optional<CounterProbe::Step> CounterProbe::read(Instant began, Instant ended, Joules counted) {
  const std::optional<CounterRead> before = last_;
  last_ = CounterRead{began, counted};
  if (!first_) first_ = began;
  if (!before || before->counted == counted) return std::nullopt;
  reset();
  const Seconds bracket = ended - before->began;
  return Step{before->began + bracket / 2, bracket, counted};
}

}  // namespace ergon::meter
