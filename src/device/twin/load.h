#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "device/twin/demand.h"

namespace ergon::device {

// What the chip does over one iteration at one clock.
struct Activity {
  Seconds time;           // from one iteration to the next
  Seconds gpu;            // while kernels run
  Seconds host;           // that the host needs to launch them
  Seconds cores, memory;  // the kernels' times by what holds them up
  Seconds busy;           // multiprocessor time with work, over all multiprocessors
  Joules work;            // arithmetic and cache, at the highest voltage
  Joules transfers;       // of the memory
};

// The host runs ahead of the GPU, so that the slower of the two sets the pace; near a tie both wait at times.
Seconds pace(Seconds gpu, Seconds host);

// What an iteration waits for most of the time.
enum class Bound : std::uint8_t { compute, memory, launch };
std::string_view name_of(Bound bound);
Bound bound_of(const Activity& activity);

// One operation's kernels on one chip.
struct OperationLoad {
  std::size_t operation = 0;  // in the workload
  double count = 1;
  std::vector<Demand> demands;
};

// A workload placed on a chip, at no clock yet.
class Load {
 public:
  Load(const Workload& workload, const Specification& gpu);

  Activity at(Hertz clock) const;
  Activity of(const OperationLoad& operation, Hertz clock) const;
  const std::vector<OperationLoad>& operations() const { return operations_; }

 private:
  Specification gpu_;
  Seconds launch_;  // of one operation
  std::vector<OperationLoad> operations_;
};

}  // namespace ergon::device
