#pragma once

#include <cstdint>
#include <string_view>

#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::profile {

using graph::name_of;

// Memory layout of images: channels-first (NCHW) or channels-last (NHWC).
enum class Layout : std::uint8_t { nchw, nhwc };
std::string_view name_of(Layout layout);

// Default layout of a precision: NHWC for 16-bit types, whose matrix units are faster with it.
Layout default_layout(device::Precision precision);

// Batch, mode, precision and layout of a run.
struct RunCondition {
  std::int64_t batch = 1;
  graph::Mode mode = graph::Mode::inference;
  device::Precision precision = device::Precision::tf32;
  Layout layout = Layout::nchw;

  friend auto operator<=>(const RunCondition&, const RunCondition&) = default;
};

}  // namespace ergon::profile
