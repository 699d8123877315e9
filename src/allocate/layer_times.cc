#include "allocate/layer_times.h"

#include <algorithm>
#include <cmath>

#include "systolic/run_totals.h"
#include "systolic/simulate.h"

namespace ergon::allocate {

LayerTime SimulatedTimes::of(const Demand& demand, const Setting& setting, int switches) const {
  const auto cycles = [&](Seconds time) { return (time * hardware_.clock).si(); };
  systolic::Pace pace{.line = (hardware_.clock / setting.clock).si(),
                      .start = cycles(hardware_.switch_time) * switches};
  if (setting.tail_clock) {
    pace.after_last_miss = {.line = (hardware_.clock / *setting.tail_clock).si(),
                            .pause = cycles(hardware_.switch_time)};
  }
  // Ports of SCALE-Sim's kind take whole words.
  const bool own = hardware_.semantics == systolic::Semantics::ergon;
  const auto port = systolic::MemoryPort::of(own ? setting.words : std::ceil(setting.words));
  const systolic::PacedTiming timing =
      systolic::run_at_pace(*demand.schedule, port, hardware_.semantics, pace);
  return {Cycles{timing.cycles} / hardware_.clock, Cycles{std::max(0.0, timing.stalls)} / hardware_.clock};
}

LayerTime PromisedTimes::of(const Demand& demand, const Setting& setting, int switches) const {
  const double slowed = demand.stall_cycles > 0 ? hardware_.words_per_cycle / setting.words : 1;
  const Seconds full = systolic::duration(demand.total_cycles, hardware_.clock) * slowed;
  const Seconds busy =
      systolic::duration(demand.work_cycles(), setting.clock) + hardware_.switch_time * switches;
  return {std::max(busy, full), std::max(Seconds{0}, full - busy)};
}

}  // namespace ergon::allocate
