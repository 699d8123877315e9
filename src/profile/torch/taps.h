#pragma once

#include "profile/torch/parts.h"

namespace ergon::profile::torch {

// Resampling of one axis: every output element is a weighted sum of input elements, one per tap.
struct AxisTaps {
  struct Tap {
    Constant rows;
    Constant weights;  // shaped for broadcasting over the other axes
  };
  std::int64_t axis = 0;
  bool plain = false;  // a single tap of weight 1
  std::vector<Tap> taps;
};

// By the rules of ONNX Resize, for every axis that changes. Errors: unsupported.
Result<std::vector<AxisTaps>> taps_of(const NodeView& view);

std::string_view resize_mode(const NodeView& view);
std::string_view resize_transformation(const NodeView& view);
// The scales equal output size / input size, as ATen assumes.
bool follows_sizes(const NodeView& view);

}  // namespace ergon::profile::torch
