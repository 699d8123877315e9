#pragma once

#include <span>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_setting.h"
#include "allocate/layer_times.h"

namespace ergon::allocate {

// Energy of a layer: dynamic energy and leakage of the array and, if enabled, energy of the memory.
struct EnergySplit {
  Joules array;
  Joules memory;

  Joules total() const { return array + memory; }
};

EnergySplit layer_energy(const LayerDemand& demand, const Hardware& hardware, const LayerSetting& setting,
                         const LayerTime& time);

// Energy at the highest clock and full bandwidth, stalls included.
EnergySplit full_speed_energy(const LayerDemand& demand, const Hardware& hardware);

// Energy of all layers at full speed: the baseline.
Joules race_to_idle_energy(std::span<const LayerDemand> demands, const Hardware& hardware);

}  // namespace ergon::allocate
