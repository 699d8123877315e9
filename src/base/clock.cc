#include "base/clock.h"

#include <chrono>
#include <thread>

namespace ergon {
namespace {

template <typename TimePoint>
std::int64_t ns_of(TimePoint t) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count();
}

}  // namespace

Instant SystemClock::now() const { return {ns_of(std::chrono::steady_clock::now())}; }

Timestamp SystemClock::wall_now() const { return {ns_of(std::chrono::system_clock::now())}; }

void SystemClock::sleep_until(Instant due) {
  std::this_thread::sleep_until(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(due.ns)));
}

}  // namespace ergon
