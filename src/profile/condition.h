#pragma once

#include <cstdint>
#include <string_view>

#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::profile {

std::string_view name_of(graph::Mode mode);

// How images lie in memory: channel after channel, or pixel after pixel.
enum class Layout : std::uint8_t { nchw, nhwc };
std::string_view name_of(Layout layout);

// What each precision is usually run in: 16-bit matrix units want channels last.
Layout usual_layout(device::Precision precision);

// What an operation or a network is run as.
struct Condition {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  Layout layout = Layout::nchw;

  friend auto operator<=>(const Condition&, const Condition&) = default;
};

}  // namespace ergon::profile
