#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/tensor.h>
#include <algorithm>

#include "profile/torch/families.h"
#include "profile/torch/parts.h"
#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

// The index from which a position outside of 0 .. size - 1 is copied.
std::int64_t source(std::int64_t at, std::int64_t size, std::string_view mode) {
  if (mode == "edge") return std::clamp<std::int64_t>(at, 0, size - 1);
  if (mode == "wrap") return (at % size + size) % size;
  const std::int64_t period = std::max<std::int64_t>(2 * (size - 1), 1);
  const std::int64_t within = (at % period + period) % period;
  return within < size ? within : period - within;
}

// Pads with values of the image, axis by axis.
Kernel repeating_kernel(const NodeView& view, const graph::Pad& op, std::string_view mode) {
  struct Axis {
    std::int64_t axis;
    Constant rows;
  };
  std::vector<Axis> axes;
  const Sizes sizes = input_sizes(view);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (op.begin[i] == 0 && op.end[i] == 0) continue;
    Sizes rows;
    for (std::int64_t at = -op.begin[i]; at < sizes[i] + op.end[i]; ++at)
      rows.push_back(source(at, sizes[i], mode));
    axes.push_back({static_cast<std::int64_t>(i), Constant(at::tensor(rows, at::kLong))});
  }
  return unary_kernel(view, [axes](const at::Tensor& x) mutable {
    at::Tensor result = x;
    for (Axis& axis : axes) result = at::index_select(result, axis.axis, axis.rows.matching(x));
    return result;
  });
}

}  // namespace

Result<Kernel> kernel_for(const NodeView& view, const graph::Pad& op) {
  const std::string_view mode = word_of(view, "mode", "constant");
  // From the last axis to the first padded one.
  Sizes margin;
  std::size_t padded = 0;
  for (std::size_t i = op.begin.size(); i > 0; --i) {
    margin.push_back(op.begin[i - 1]);
    margin.push_back(op.end[i - 1]);
    if (op.begin[i - 1] != 0 || op.end[i - 1] != 0) padded = op.begin.size() - i + 1;
  }
  margin.resize(2 * padded);
  if (mode == "constant") {
    double value = number_of(view, "value", 0);
    if (const auto* stored = constant_of(view, 2)) {
      const auto numbers = numbers_in(*stored);
      if (numbers.size() == 1) value = numbers[0];
    } else if (has_operand(view, 2)) {
      return unsupported(view, "a computed padding value is not supported");
    }
    return unary_kernel(
        view, [margin, value](const at::Tensor& x) { return at::constant_pad_nd(x, margin, value); });
  }
  if (mode != "reflect" && mode != "edge" && mode != "wrap")
    return unsupported(view, fmt::format("mode {} is not supported", mode));
  const bool grows = std::ranges::none_of(margin, [](std::int64_t size) { return size < 0; });
  if (grows && padded > 0 && padded <= 3 && rank_of(view) == static_cast<std::int64_t>(padded) + 2 &&
      graph::is_floating(input_value(view, 0).type) && mode != "wrap") {
    const std::string name = mode == "edge" ? "replicate" : "reflect";
    bool fits = true;
    const Sizes sizes = input_sizes(view);
    for (std::size_t i = 0; mode == "reflect" && i < margin.size(); ++i) {
      fits = fits && margin[i] < sizes[sizes.size() - 1 - i / 2];
    }
    if (fits)
      return unary_kernel(view, [margin, name](const at::Tensor& x) { return at::pad(x, margin, name); });
  }
  return repeating_kernel(view, op, mode);
}

}  // namespace ergon::profile::torch
