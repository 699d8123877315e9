#pragma once

#include <functional>

#include "base/result.h"
#include "control/surface.h"
#include "device/twin/specification.h"
#include "graph/network.h"

namespace ergon::control {

// Looked at on a grid of batches and clocks once, and along straight lines in logarithms between: asking
// costs some tens of nanoseconds. Outside it is as at the edge.
class GridSurface final : public Surface {
 public:
  using At = std::function<Result<Expectation>(const Point&)>;
  // Contract: batches ascend; clocks ascend or are none. Errors: those of `at`.
  static Result<GridSurface> of(std::vector<std::int64_t> batches, std::vector<Hertz> clocks, const At& at);

  Expectation at(const Point& point) const override;

 private:
  struct Cell {
    double time = 0, gpu = 0, host = 0, power = 0;  // logarithms
  };
  std::vector<double> batches_, clocks_;  // logarithms
  std::vector<Cell> cells_;               // clock after clock
};

// Some batches of a range: every one up to 8, then three or four in each octave, and the last.
std::vector<std::int64_t> telling_batches(std::int64_t least, std::int64_t most);

// What a twin says of a network at inference, as its quickest sensor would show it. Errors: a network that
// cannot be run, or does not fit.
Result<GridSurface> twin_surface(const graph::Network& network, const device::Specification& gpu,
                                 device::Precision precision, const Knobs& knobs);

}  // namespace ergon::control
