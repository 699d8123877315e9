#include "allocate/layer_times.h"

#include <algorithm>
#include <cmath>

#include "systolic/run_totals.h"
#include "systolic/simulate.h"

namespace ergon::allocate {

namespace {

systolic::PacedTiming simulate_at(const LayerDemand& demand, const Hardware& hardware,
                                  const LayerSetting& setting, int switches) {
  const double switch_cycles = (hardware.switch_time * hardware.clock).si();
  const auto line = [&](Hertz clock) { return (hardware.clock / clock).si(); };
  systolic::Pace pace{
      .line = line(setting.clock), .start = switch_cycles * switches, .long_wait = switch_cycles};
  if (setting.tail) {
    pace.change = {
        .after = setting.tail->after_line, .line = line(setting.tail->clock), .pause = switch_cycles};
  }
  // SCALE-Sim ports move whole words.
  const bool fractional = hardware.semantics == systolic::Semantics::ergon;
  const auto port = systolic::MemoryPort::of(fractional ? setting.words : std::ceil(setting.words));
  return systolic::run_at_pace(*demand.schedule, port, hardware.semantics, pace);
}

}  // namespace

LayerTime SimulatedTimes::of(const LayerDemand& demand, const LayerSetting& setting, int switches) const {
  const systolic::PacedTiming timing = simulate_at(demand, hardware_, setting, switches);
  return {Cycles{timing.cycles} / hardware_.clock, Cycles{std::max(0.0, timing.stalls)} / hardware_.clock};
}

std::vector<std::int64_t> tail_lines(const LayerDemand& demand, const Hardware& hardware,
                                     const LayerSetting& setting) {
  const std::int64_t last_miss = demand.schedule->last_miss();
  if (last_miss < 0) return {};
  const std::int64_t last_wait = simulate_at(demand, hardware, setting, 0).last_wait;
  if (last_wait < 0 || last_wait == last_miss) return {last_miss};
  return {last_wait, last_miss};
}

LayerTime AradaTimes::of(const LayerDemand& demand, const LayerSetting& setting, int switches) const {
  const double slowed = demand.stall_cycles > 0 ? hardware_.words_per_cycle / setting.words : 1;
  const Seconds full = systolic::duration(demand.total_cycles, hardware_.clock) * slowed;
  const Seconds busy =
      systolic::duration(demand.work_cycles(), setting.clock) + hardware_.switch_time * switches;
  return {std::max(busy, full), std::max(Seconds{0}, full - busy)};
}

}  // namespace ergon::allocate
