#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "device/twin/kernel_cost.h"

namespace ergon::device {

// Time and energy of one iteration at one clock.
struct Activity {
  Seconds time;           // per iteration
  Seconds gpu;            // with kernels running
  Seconds host;           // launch time on the host
  Seconds cores, memory;  // time of compute-bound and of memory-bound kernels
  Seconds busy;           // kernel time weighted by occupancy
  Joules work;            // arithmetic and cache energy at the highest voltage
  Joules transfers;       // memory energy
};

// Time per iteration. The host launches kernels ahead of the GPU, so the slower of the two determines the
// time; if both are nearly equal, each waits sometimes. Smooth maximum: (gpu^8 + host^8)^(1/8).
Seconds iteration_time(Seconds gpu, Seconds host);

// What limits an iteration.
enum class Bound : std::uint8_t { compute, memory, launch };
std::string_view name_of(Bound bound);
Bound bound_of(const Activity& activity);

// The kernels of one operation on one GPU.
struct OperationLoad {
  std::size_t operation = 0;  // index in Workload::operations
  double count = 1;
  std::vector<KernelCost> kernel_costs;
};

// A workload on one GPU, independent of the clock.
class Load {
 public:
  Load(const Workload& workload, const Specification& gpu);

  Activity at(Hertz clock) const;
  Activity of(const OperationLoad& operation, Hertz clock) const;
  const std::vector<OperationLoad>& operations() const { return operations_; }

 private:
  Specification gpu_;
  Seconds launch_;  // per operation
  std::vector<OperationLoad> operations_;
};

}  // namespace ergon::device
