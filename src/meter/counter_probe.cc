#include "meter/counter_probe.h"

namespace ergon::meter {

std::optional<CounterProbe::Step> CounterProbe::read(Instant began, Instant ended, Joules counted) {
  const std::optional<Seen> before = last_;
  last_ = Seen{began, counted};
  if (!first_) first_ = began;
  if (!before || before->counted == counted) return std::nullopt;
  abandon();
  const Seconds bracket = ended - before->began;
  return Step{before->began + bracket / 2, bracket, counted};
}

}  // namespace ergon::meter
