#pragma once

#include <functional>

#include "base/result.h"
#include "control/surfaces/surface.h"
#include "device/twin/specification.h"
#include "graph/network.h"

namespace ergon::control {

// Surface tabulated on a grid of batches and clocks. Interpolates linearly in logarithms; constant outside
// the grid. A lookup takes some tens of nanoseconds.
class GridSurface final : public Surface {
 public:
  using At = std::function<Result<Expectation>(const Point&)>;
  // Contract: batches ascend and are not empty; clocks ascend and may be empty. Errors: those of `at`.
  static Result<GridSurface> of(const std::vector<std::int64_t>& batches, const std::vector<Hertz>& clocks,
                                const At& at);

  Expectation at(const Point& point) const override;

 private:
  struct Cell {
    double time = 0, gpu = 0, host = 0, power = 0;  // logarithms
  };
  std::vector<double> batches_, clocks_;  // logarithms
  std::vector<Cell> cells_;               // batches of the first clock, then of the second, ...
};

// Grid points between two batches: each one up to 8, then three or four per octave, and the last.
std::vector<std::int64_t> grid_batches(std::int64_t min, std::int64_t max);

// Time and power of a network at inference from a twin, power as its fastest sensor reports it. Errors: a
// network that cannot run or does not fit the memory.
Result<GridSurface> twin_surface(const graph::Network& network, const device::Specification& gpu,
                                 device::Precision precision, const Knobs& knobs);

}  // namespace ergon::control
