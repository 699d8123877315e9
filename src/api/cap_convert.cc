#include "api/cap_convert.h"

#include <algorithm>
#include <functional>

namespace ergon::api {
namespace {

template <typename T>
bool ascends(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<T>()) == values.end();
}

}  // namespace

Result<control::Knobs> knobs_of(const OperatingPoints& points) {
  if (points.batches.empty()) return fail(Errc::invalid_input, "no batch to choose from");
  if (!ascends(points.batches) || points.batches.front() < 1)
    return fail(Errc::invalid_input, "batches must be 1 or more and ascend");
  if (!ascends(points.clocks) || (!points.clocks.empty() && points.clocks.front() <= Hertz{0}))
    return fail(Errc::invalid_input, "clocks must be above 0 and ascend");
  return control::Knobs{points.batches, points.clocks};
}

}  // namespace ergon::api
