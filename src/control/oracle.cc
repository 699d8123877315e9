#include "control/oracle.h"

namespace ergon::control {

Verdict oracle(const Surface& surface, const Knobs& knobs, Watts cap, std::optional<Seconds> latency) {
  std::optional<Best> best, lowest;
  const auto look = [&](const Point& point) {
    const Expectation there = surface.at(point);
    const Best here{point, there, static_cast<double>(point.batch) / there.time.si()};
    if (!lowest || there.power < lowest->there.power) lowest = here;
    if (there.power > cap || (latency && there.time > *latency)) return;
    if (!best || here.throughput > best->throughput) best = here;
  };
  for (const std::int64_t batch : knobs.batches) {
    if (knobs.clocks.empty()) look({batch, {}});
    for (const Hertz clock : knobs.clocks) look({batch, clock});
  }
  return best ? Verdict{*best, true} : Verdict{*lowest, false};
}

}  // namespace ergon::control
