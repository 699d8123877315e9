#include "allocate/layer_energy.h"

#include <algorithm>

#include "allocate/arada.h"
#include "systolic/run_totals.h"

namespace ergon::allocate {
namespace {

// Energy of `share` of the work at one clock: cycles do not depend on the clock, voltage does.
Joules work_energy(const LayerDemand& demand, const Hardware& hardware, Hertz clock, double share) {
  const Seconds at_full = systolic::duration(demand.work_cycles(), hardware.clock);
  return hardware.array_power * at_full * (share * energy_by_work(hardware, clock));
}

Joules stall_energy(const Hardware& hardware, Hertz clock, Seconds stall) {
  const double activity =
      hardware.stall_power * energy_by_work(hardware, clock) * (clock / hardware.clock).si();
  return hardware.array_power * stall * activity;
}

// The array leaks at the voltage of its clock, also while it stalls. The part of the layer at the second
// clock takes the time of its work: few or no stalls follow the switch.
Joules leakage_energy(const LayerDemand& demand, const Hardware& hardware, const LayerSetting& setting,
                      double tail, Seconds time) {
  const Seconds after = std::min(time, systolic::duration(demand.work_cycles(), setting.leaves_at()) * tail);
  return hardware.leakage_power(setting.clock) * (time - after) +
         hardware.leakage_power(setting.leaves_at()) * after;
}

Joules memory_energy(const LayerDemand& demand, const Hardware& hardware, const LayerSetting& setting,
                     Seconds time) {
  if (!hardware.memory) return {};
  const MemoryPower& memory = *hardware.memory;
  const double slowed =
      memory.follows_demand ? memory.scaling * (1 - setting.words / hardware.words_per_cycle) : 0;
  return memory.per_word * static_cast<double>(demand.memory_words) + memory.background * time * (1 - slowed);
}

}  // namespace

EnergySplit layer_energy(const LayerDemand& demand, const Hardware& hardware, const LayerSetting& setting,
                         const LayerTime& time) {
  const double tail = setting.tail ? demand.share_after(setting.tail->after_line) : 0;
  const Joules array = work_energy(demand, hardware, setting.clock, 1 - tail) +
                       work_energy(demand, hardware, setting.leaves_at(), tail) +
                       stall_energy(hardware, setting.clock, time.stall) +
                       leakage_energy(demand, hardware, setting, tail, time.total);
  return {array, memory_energy(demand, hardware, setting, time.total)};
}

EnergySplit full_speed_energy(const LayerDemand& demand, const Hardware& hardware) {
  return layer_energy(demand, hardware, {hardware.clock, hardware.words_per_cycle, {}},
                      {systolic::duration(demand.total_cycles, hardware.clock),
                       systolic::duration(demand.stall_cycles, hardware.clock)});
}

Joules race_to_idle_energy(std::span<const LayerDemand> demands, const Hardware& hardware) {
  Joules energy;
  for (const LayerDemand& demand : demands) energy += full_speed_energy(demand, hardware).total();
  return energy;
}

}  // namespace ergon::allocate
