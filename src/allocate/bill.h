#pragma once

#include <span>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_times.h"
#include "allocate/setting.h"

namespace ergon::allocate {

// What a layer takes at a setting: dynamic energy of the array, and the memory's where it is on the bill.
struct LayerBill {
  Joules array;
  Joules memory;

  Joules total() const { return array + memory; }
};

LayerBill bill_of(const Demand& demand, const Hardware& hardware, const Setting& setting,
                  const LayerTime& time);

// Of a layer at full speed that waits as long as it does there.
LayerBill bill_at_full_speed(const Demand& demand, const Hardware& hardware);

// Of all layers at full speed: what everything is compared with.
Joules race_to_idle_energy(std::span<const Demand> demands, const Hardware& hardware);

}  // namespace ergon::allocate
