#include "profile/repetition.h"

#include <algorithm>
#include <cmath>

namespace ergon::profile {

std::int64_t iterations_in(Seconds time, Seconds each) {
  if (!(each > Seconds{0})) return 1;
  constexpr double kMaxIterations = 1e12;
  return static_cast<std::int64_t>(std::clamp(std::ceil((time / each).si()), 1.0, kMaxIterations));
}

std::int64_t segment_length(Seconds min_time, Seconds time_per_iteration) {
  constexpr std::int64_t kSeveral = 8;
  constexpr Seconds kLong{0.3};
  return std::max(std::min(kSeveral, iterations_in(kLong, time_per_iteration)),
                  iterations_in(min_time, time_per_iteration));
}

Result<> unless_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  return {};
}

Result<Seconds> work_for(PreparedWork& prepared, Seconds time, const std::stop_token& stop) {
  std::int64_t iterations = 1;
  Seconds spent;
  for (;;) {
    if (auto go_on = unless_stopped(stop); !go_on) return go_on.error();
    const auto ran = prepared.run(iterations);
    if (!ran) return ran.error();
    spent = spent + ran->time;
    if (!(spent < time)) return ran->each();
    const std::int64_t rest = iterations_in(time - spent, ran->each());
    iterations = std::clamp<std::int64_t>(rest, 1, iterations * 10);
  }
}

}  // namespace ergon::profile
