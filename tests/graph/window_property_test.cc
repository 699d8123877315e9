// window_positions() against a step-by-step simulation.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "graph/window.h"

namespace ergon::graph {
namespace {

struct WindowCase {
  std::int64_t input, kernel, stride, dilation, before, after;
};

WindowCase some_walk() {
  return {*rc::gen::inRange<std::int64_t>(1, 40), *rc::gen::inRange<std::int64_t>(1, 9),
          *rc::gen::inRange<std::int64_t>(1, 6),  *rc::gen::inRange<std::int64_t>(1, 4),
          *rc::gen::inRange<std::int64_t>(0, 5),  *rc::gen::inRange<std::int64_t>(0, 5)};
}

Window window_of(const WindowCase& walk) {
  return {{walk.kernel}, {walk.stride}, {walk.dilation}, {walk.before}, {walk.after}};
}

RC_GTEST_PROP(Window, PositionsEqualSimulation, ()) {
  const WindowCase walk = some_walk();
  const std::int64_t reach = walk.dilation * (walk.kernel - 1) + 1;
  std::int64_t count = 0;
  for (std::int64_t start = -walk.before; start + reach <= walk.input + walk.after; start += walk.stride)
    ++count;
  const auto found = window_positions(window_of(walk), 0, walk.input);
  RC_ASSERT(found.value_or(0) == count);
}

RC_GTEST_PROP(Window, RoundUpAddsOnePositionThatStartsInside, ()) {
  const WindowCase walk = some_walk();
  const std::int64_t reach = walk.dilation * (walk.kernel - 1) + 1;
  const auto found = window_positions(window_of(walk), 0, walk.input, true);
  const auto floor = window_positions(window_of(walk), 0, walk.input);
  RC_PRE(floor.has_value());
  const bool something_left = (walk.input + walk.before + walk.after - reach) % walk.stride != 0;
  const bool starts_inside = *floor * walk.stride - walk.before < walk.input;
  RC_ASSERT(*found == *floor + (something_left && starts_inside ? 1 : 0));
}

RC_GTEST_PROP(Window, SameGivesInputOverStride, ()) {
  WindowCase walk = some_walk();
  Window window = window_of(walk);
  const std::int64_t sizes[] = {walk.input};
  pad_to_same(window, sizes);
  RC_ASSERT(window_positions(window, 0, walk.input) == (walk.input + walk.stride - 1) / walk.stride);
  RC_ASSERT(window.pad_end[0] - window.pad_begin[0] == 0 || window.pad_end[0] - window.pad_begin[0] == 1);
}

TEST(Window, RejectsInvalidParameters) {
  EXPECT_FALSE(window_positions({{3}, {0}, {1}, {0}, {0}}, 0, 10));
  EXPECT_FALSE(window_positions({{0}, {1}, {1}, {0}, {0}}, 0, 10));
  EXPECT_FALSE(window_positions({{3}, {1}, {1}, {-1}, {0}}, 0, 10));
  EXPECT_FALSE(window_positions({{11}, {1}, {1}, {0}, {0}}, 0, 10));
  EXPECT_FALSE(window_positions({{3}, {1}, {std::int64_t{1} << 62}, {0}, {0}}, 0, 10))
      << "a reach beyond 64 bits";
}

}  // namespace
}  // namespace ergon::graph
