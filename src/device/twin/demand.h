#pragma once

#include "device/twin/kernel.h"
#include "device/twin/specification.h"

namespace ergon::device {

// What a kernel asks of one chip, whatever its clock: so many cycles of the cores, so many bytes from memory
// and cache, so much energy.
struct Demand {
  Cycles cores;
  Bytes from_memory, from_cache;
  double rate = 1;       // the share of memory's and cache's bandwidth that the kernel reaches
  double occupancy = 1;  // the share of the multiprocessors that have work
  Seconds floor;         // besides the least that any kernel takes
  Joules work;           // of arithmetic and cache, at the highest voltage
  Joules transfers;      // of the memory
};

Demand demand_of(const Kernel& kernel, Precision precision, const Specification& gpu);

struct KernelTime {
  Seconds total, cores, memory;
};

KernelTime time_of(const Demand& demand, const Specification& gpu, Hertz clock);

}  // namespace ergon::device
