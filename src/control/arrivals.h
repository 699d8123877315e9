#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace ergon::control {

// When requests come: one batch after the other, as fast as they are answered, or by themselves.
class Arrivals {
 public:
  // There is always a next request, and none waits.
  static Arrivals closed() { return {}; }
  // So many in a second on average, each whenever it likes (a Poisson process), from the first look on.
  static Arrivals poisson(double rate, std::uint64_t seed);

  bool open() const { return rate_ > 0; }
  // Requests that came up to now and were not taken. Contract, as of those below: open; time does not go
  // back.
  std::size_t waiting(Seconds now);
  // When the next one comes that is not waiting yet.
  Seconds next() const { return next_; }
  // Takes the oldest so many that wait; tells when each came.
  std::vector<Seconds> take(std::size_t count);

 private:
  double rate_ = 0;
  bool begun_ = false;
  Random random_{0};
  Seconds next_;
  std::deque<Seconds> waiting_;
};

}  // namespace ergon::control
