#include "graph/window.h"

#include <algorithm>

#include "graph/count.h"

namespace ergon::graph {

std::optional<std::int64_t> places(const Window& window, std::size_t axis, std::int64_t input,
                                   bool round_up) {
  const std::int64_t kernel = window.kernel[axis];
  const std::int64_t stride = window.stride[axis];
  const std::int64_t dilation = window.dilation[axis];
  const std::int64_t begin = window.pad_begin[axis];
  const std::int64_t end = window.pad_end[axis];
  if (kernel <= 0 || stride <= 0 || dilation <= 0 || begin < 0 || end < 0) return std::nullopt;
  const Count room = Count(input) + begin + end - (Count(dilation) * (Count(kernel) - 1) + 1);
  if (room.overflowed() || room.exact() < 0) return std::nullopt;
  std::int64_t steps = room.exact() / stride;
  if (round_up && room.exact() % stride != 0) {
    const Count start = (Count(steps) + 1) * stride;
    if (!start.overflowed() && start.exact() < input + begin) ++steps;
  }
  return steps + 1;
}

void pad_to_same(Window& window, std::span<const std::int64_t> input) {
  ERGON_EXPECTS(input.size() == window.rank());
  for (std::size_t axis = 0; axis < window.rank(); ++axis) {
    const std::int64_t stride = window.stride[axis];
    const std::int64_t reach = window.dilation[axis] * (window.kernel[axis] - 1) + 1;
    const std::int64_t outputs = (input[axis] + stride - 1) / stride;
    const std::int64_t missing = std::max<std::int64_t>((outputs - 1) * stride + reach - input[axis], 0);
    window.pad_begin[axis] = missing / 2;
    window.pad_end[axis] = missing - missing / 2;
  }
}

}  // namespace ergon::graph
