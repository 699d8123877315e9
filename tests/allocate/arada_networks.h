#pragma once

#include <string>
#include <vector>

#include "allocate/arada.h"
#include "allocate/demand.h"
#include "systolic/catalog/catalog.h"
#include "systolic/simulate.h"

namespace ergon::allocate {

inline const std::vector<std::string>& kAradaNetworks = arada_networks();

// The paper's accelerators at a bandwidth in words per cycle.
inline Hardware arada_hardware(const std::string& accelerator, double words) {
  Hardware hardware = hardware_of(*systolic::find_accelerator(accelerator), words);
  hardware.array_power = Watts{1};
  return hardware;
}

inline std::vector<LayerDemand> demands_of_network(const std::string& name, const Hardware& hardware) {
  systolic::ScheduleCache cache;
  return *demands_of(*systolic::zoo_layers(name), hardware, cache);
}

}  // namespace ergon::allocate
