#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/twin/kernel.h"
#include "device/twin/operating_point.h"
#include "device/twin/specification.h"

namespace ergon::fleet::synthetic {

// What a GPU is given to do while it renders, as kernels that a twin understands. A pass follows the rays
// through the scene, which is waiting for memory, and colours what they have hit, which is arithmetic; then
// the host sorts the rays, so that the GPU waits a little. Passes differ by the rays still under way, and
// hence by the multiprocessors that have work: from few to most of them, in kRayLevels levels.
inline constexpr std::size_t kRayLevels = 8;

class RenderPasses {
 public:
  // Made so that a pass of any level takes `gpu` equally long.
  explicit RenderPasses(const device::Specification& gpu);

  const device::Workload& at(std::size_t level) const { return passes_[level]; }

 private:
  std::vector<device::Workload> passes_;
};

// What a GPU does at one level, and what its counters show of it.
struct Rendering {
  device::OperatingPoint point;
  double busy_percent = 0;    // of the time kernels run
  double memory_percent = 0;  // of the time memory is read or written
};

// One GPU of the fleet: its device's twin, with differences as boards of one product have them.
struct Board {
  device::OperatingPoint bare, resident;
  std::array<Rendering, kRayLevels> rendering;
  Seconds pass;  // of the middle level
};

// Which board, and of which kind.
struct BoardChoice {
  std::uint64_t seed = 0, host = 0, gpu = 0;
  bool slow = false;
};

// `gpu` with what sets this board apart: power, cooling, the air around it, and the speed of the memory.
device::Specification varied(device::Specification gpu, const BoardChoice& choice);

// Contract of both: passes made for `gpu`. A plain board is exactly as the device's file says.
Board plain_board(const device::Specification& gpu, const RenderPasses& passes);
Board board_of(const device::Specification& gpu, const RenderPasses& passes, const BoardChoice& choice);

}  // namespace ergon::fleet::synthetic
