#pragma once

#include "device/twin/kernel.h"
#include "device/twin/specification.h"

namespace ergon::device {

// What one kernel needs on one GPU, independent of the clock: core cycles, memory and cache traffic, energy.
struct KernelCost {
  Cycles cores;  // of all multiprocessors in parallel
  Bytes from_memory, from_cache;
  double rate = 1;       // share of memory and cache bandwidth that the kernel reaches
  double occupancy = 1;  // share of the multiprocessors that have work
  Seconds floor;         // overhead in addition to KernelModel::floor
  Joules work;           // arithmetic and cache energy at the highest voltage
  Joules transfers;      // memory energy
};

KernelCost kernel_cost(const Kernel& kernel, Precision precision, const Specification& gpu);

// `cores` and `memory` overlap; `total` includes overheads.
struct KernelTime {
  Seconds total, cores, memory;
};

KernelTime time_of(const KernelCost& cost, const Specification& gpu, Hertz clock);

}  // namespace ergon::device
