#include "control/surfaces/oracle.h"

namespace ergon::control {

OracleResult oracle(const Surface& surface, const Knobs& knobs, Watts cap, std::optional<Seconds> latency) {
  std::optional<OraclePoint> best, lowest;
  const auto consider = [&](const Point& point) {
    const Expectation there = surface.at(point);
    const OraclePoint here{point, there, static_cast<double>(point.batch) / there.time.si()};
    if (!lowest || there.power < lowest->there.power) lowest = here;
    if (there.power > cap || (latency && there.time > *latency)) return;
    if (!best || here.throughput > best->throughput) best = here;
  };
  for (const std::int64_t batch : knobs.batches) {
    if (knobs.clocks.empty()) consider({batch, {}});
    for (const Hertz clock : knobs.clocks) consider({batch, clock});
  }
  return best ? OracleResult{*best, true} : OracleResult{*lowest, false};
}

}  // namespace ergon::control
