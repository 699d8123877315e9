#include "control/plants/arrivals.h"

#include <cmath>

#include "base/contract.h"

namespace ergon::control {
namespace {

Seconds pause(Random& random, double rate) { return Seconds{-std::log(1 - random.uniform()) / rate}; }

}  // namespace

Arrivals Arrivals::poisson(double rate, std::uint64_t seed) {
  ERGON_EXPECTS(rate > 0);
  Arrivals arrivals;
  arrivals.rate_ = rate;
  arrivals.random_ = Random(seed);
  arrivals.next_ = pause(arrivals.random_, rate);
  return arrivals;
}

std::size_t Arrivals::waiting(Seconds now) {
  ERGON_EXPECTS(open());
  if (!begun_) next_ += now;
  begun_ = true;
  while (next_ <= now) {
    waiting_.push_back(next_);
    next_ += pause(random_, rate_);
  }
  return waiting_.size();
}

std::vector<Seconds> Arrivals::take(std::size_t count) {
  ERGON_EXPECTS(count <= waiting_.size());
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Seconds> taken(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  return taken;
}

}  // namespace ergon::control
