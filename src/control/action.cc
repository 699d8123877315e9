#include "control/action.h"

#include <fmt/format.h>

namespace ergon::control {

Point safest_point(const Knobs& knobs) {
  return {knobs.batches.front(), knobs.clocks.empty() ? std::nullopt : std::optional(knobs.clocks.front())};
}

std::string text_of(const Point& point) {
  return point.clock ? fmt::format("batch {} at {:.0f} MHz", point.batch, point.clock->si() / 1e6)
                     : fmt::format("batch {}", point.batch);
}

}  // namespace ergon::control
