#pragma once

#include "profile/torch/parts.h"

namespace ergon::profile::torch {

// How one axis of a resized image is read: every place of the result is a sum of as many places of the source
// as there are taps.
struct AxisTaps {
  struct Tap {
    Constant rows;
    Constant weights;  // shaped to stretch over the other axes
  };
  std::int64_t axis = 0;
  bool plain = false;  // one tap of weight 1
  std::vector<Tap> taps;
};

// By the rules of ONNX's Resize, for every axis that changes. Errors: unsupported.
Result<std::vector<AxisTaps>> taps_of(const NodeView& view);

std::string_view resize_mode(const NodeView& view);
std::string_view resize_transformation(const NodeView& view);
// The scales are the quotients of the sizes, as ATen takes them to be.
bool follows_sizes(const NodeView& view);

}  // namespace ergon::profile::torch
