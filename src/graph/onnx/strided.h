#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ergon::graph::onnx {

using Sizes = std::vector<std::int64_t>;

// Row-major strides of a dense tensor, in elements.
inline Sizes strides_of(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (std::size_t axis = sizes.size(); axis > 1; --axis)
    strides[axis - 2] = strides[axis - 1] * sizes[axis - 1];
  return strides;
}

// Strides that broadcast a tensor to larger sizes; empty if the sizes are incompatible.
inline std::optional<Sizes> broadcast_strides(const Sizes& from, const Sizes& to) {
  if (from.size() > to.size()) return std::nullopt;
  const Sizes dense = strides_of(from);
  const std::size_t added = to.size() - from.size();
  Sizes strides(to.size(), 0);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == to[added + axis])
      strides[added + axis] = dense[axis];
    else if (from[axis] != 1)
      return std::nullopt;
  }
  return strides;
}

// Calls visit(offset) for every index of `sizes` in row-major order.
template <typename Visit>
void walk_strided(const Sizes& sizes, const Sizes& strides, std::int64_t base, const Visit& visit) {
  for (const std::int64_t size : sizes) {
    if (size == 0) return;
  }
  Sizes index(sizes.size(), 0);
  std::int64_t offset = base;
  for (;;) {
    visit(offset);
    std::size_t axis = sizes.size();
    while (axis > 0 && ++index[axis - 1] == sizes[axis - 1]) {
      offset -= strides[axis - 1] * (sizes[axis - 1] - 1);
      index[axis - 1] = 0;
      --axis;
    }
    if (axis == 0) return;
    offset += strides[axis - 1];
  }
}

}  // namespace ergon::graph::onnx
