#include "control/plants/default_knobs.h"

#include <numeric>

#include "base/contract.h"

namespace ergon::control {

std::vector<std::int64_t> batches_up_to(std::int64_t max) {
  std::vector<std::int64_t> batches(static_cast<std::size_t>(max));
  std::iota(batches.begin(), batches.end(), 1);
  return batches;
}

std::vector<Hertz> evenly_spaced(const std::vector<Hertz>& clocks, std::size_t count) {
  ERGON_EXPECTS(count >= 2);
  if (clocks.size() <= count) return clocks;
  std::vector<Hertz> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(clocks[i * (clocks.size() - 1) / (count - 1)]);
  return some;
}

}  // namespace ergon::control
