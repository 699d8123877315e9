#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace ergon::control {

// Arrival process of requests. Closed: the next batch starts when the previous one ends. Open: requests
// arrive independently of the server.
class Arrivals {
 public:
  // Closed loop: there is always a next request and no queue.
  static Arrivals closed() { return {}; }
  // Open loop: a Poisson process of `rate` requests per second that starts at the first call of waiting().
  static Arrivals poisson(double rate, std::uint64_t seed);

  bool open() const { return rate_ > 0; }
  // Number of requests that arrived up to `now` and were not taken. Contract (all functions below): open() is
  // true and `now` does not decrease.
  std::size_t waiting(Seconds now);
  // Time of the next arrival after those in the queue.
  Seconds next() const { return next_; }
  // Removes the `count` oldest requests from the queue. Returns their arrival times.
  std::vector<Seconds> take(std::size_t count);

 private:
  double rate_ = 0;
  bool begun_ = false;
  Random random_{0};
  Seconds next_;
  std::deque<Seconds> waiting_;
};

}  // namespace ergon::control
