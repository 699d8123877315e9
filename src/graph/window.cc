#include "graph/window.h"

#include <algorithm>

#include "graph/count.h"

namespace ergon::graph {

std::optional<std::int64_t> window_positions(const Window& window, std::size_t axis, std::int64_t input,
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
    const std::int64_t outputs = input[axis] / stride + (input[axis] % stride != 0 ? 1 : 0);
    const Count reach = Count(window.dilation[axis]) * (Count(window.kernel[axis]) - 1) + 1;
    const Count gap = (Count(outputs) - 1) * stride + reach - input[axis];
    // On overflow there is no padding; window_positions() then rejects the window.
    const std::int64_t missing = gap.overflowed() ? 0 : std::max<std::int64_t>(gap.exact(), 0);
    window.pad_begin[axis] = missing / 2;
    window.pad_end[axis] = missing - missing / 2;
  }
}

Window image_window(const Extent& kernel, std::int64_t stride, Padding padding, std::int64_t height,
                    std::int64_t width) {
  Window window = Window::over(kernel);
  window.stride = {stride, stride};
  const std::int64_t sizes[] = {height, width};
  if (padding == Padding::same) pad_to_same(window, sizes);
  return window;
}

}  // namespace ergon::graph
