#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/twin/kernel.h"
#include "device/twin/operating_point.h"
#include "device/twin/specification.h"

namespace ergon::fleet::synthetic {

// The workload of rendering, as kernels of a twin. A pass traces rays through the scene (limited by memory)
// and shades the hits (limited by arithmetic); then the host sorts the rays while the GPU waits. Passes
// differ in the number of active rays, and therefore of busy multiprocessors, in kRayLevels levels.
inline constexpr std::size_t kRayLevels = 8;

class RenderPasses {
 public:
  // All levels take the same time on `gpu`.
  explicit RenderPasses(const device::Specification& gpu);

  const device::Workload& at(std::size_t level) const { return passes_[level]; }

 private:
  std::vector<device::Workload> passes_;
};

// Operating point of a GPU at one ray level, and the readings of its counters.
struct Rendering {
  device::OperatingPoint point;
  double busy_percent = 0;    // share of time with a kernel running
  double memory_percent = 0;  // share of time with memory being read or written
};

// One GPU of the fleet: the twin of the device with board-to-board variation.
struct Board {
  device::OperatingPoint bare, resident;
  std::array<Rendering, kRayLevels> rendering;
  Seconds pass;  // duration of a pass of the middle level
};

// Selects a board.
struct BoardChoice {
  std::uint64_t seed = 0, host = 0, gpu = 0;
  bool slow = false;
};

// `gpu` with the variation of this board: power, cooling, inlet temperature and memory bandwidth.
device::Specification with_board_variation(device::Specification gpu, const BoardChoice& choice);

// Contract of both: `passes` were made for `gpu`. A nominal board has the parameters of the device file.
Board nominal_board(const device::Specification& gpu, const RenderPasses& passes);
Board board_of(const device::Specification& gpu, const RenderPasses& passes, const BoardChoice& choice);

}  // namespace ergon::fleet::synthetic
