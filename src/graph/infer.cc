// Shape rules, one per operation, for tensors of any rank that the operation allows. The batch may be on any
// axis except the channel axis and the axes of a window.

#include "graph/infer.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/einsum.h"
#include "graph/overloaded.h"

namespace ergon::graph {
namespace {

using Shapes = Result<std::vector<Shape>>;

Shapes one(Shape shape) { return std::vector<Shape>{shape}; }

Error wrong(std::string_view what, const Shape& shape) {
  return fail(Errc::invalid_input, "{}, got {}", what, to_text(shape));
}

// Channels of an image, for a window of this rank.
Result<std::int64_t> channels_under(const Shape& image, std::size_t window_rank) {
  if (image.rank() != window_rank + 2) {
    return fail(Errc::invalid_input, "a {}-d window needs {} axes, got {}", window_rank, window_rank + 2,
                to_text(image));
  }
  for (std::size_t axis = 1; axis < image.rank(); ++axis) {
    if (image[axis].batched) return wrong("the batch cannot be on a channel or spatial axis", image);
  }
  return image[1].size;
}

Result<> check_groups(std::int64_t in_channels, std::int64_t out_channels, std::int64_t groups) {
  if (groups <= 0 || out_channels <= 0 || in_channels % groups != 0 || out_channels % groups != 0) {
    return fail(Errc::invalid_input, "{} groups do not divide {} input and {} output channels", groups,
                in_channels, out_channels);
  }
  return {};
}

Result<Shape> windowed(const Window& window, const Shape& input, std::int64_t out_channels, bool round_up) {
  Shape result{input[0], {out_channels}};
  for (std::size_t axis = 0; axis < window.rank(); ++axis) {
    const auto size = window_positions(window, axis, input[axis + 2].size, round_up);
    if (!size) {
      return fail(Errc::invalid_input, "a window of {} (stride {}, padding {} and {}) does not fit in {}",
                  sizes_text(window.kernel.sizes()), sizes_text(window.stride.sizes()),
                  sizes_text(window.pad_begin.sizes()), sizes_text(window.pad_end.sizes()), to_text(input));
    }
    result.push_back({*size});
  }
  return result.as_image();
}

Shapes infer_one(const Convolution& op, const Shape& input) {
  const auto channels = channels_under(input, op.window.rank());
  if (!channels) return channels.error();
  if (const auto fits = check_groups(*channels, op.out_channels, op.groups); !fits) return fits.error();
  const auto result = windowed(op.window, input, op.out_channels, false);
  if (!result) return result.error();
  return one(*result);
}

Shapes infer_one(const TransposedConvolution& op, const Shape& input) {
  const auto channels = channels_under(input, op.window.rank());
  if (!channels) return channels.error();
  if (const auto fits = check_groups(*channels, op.out_channels, op.groups); !fits) return fits.error();
  Shape result{input[0], {op.out_channels}};
  for (std::size_t axis = 0; axis < op.window.rank(); ++axis) {
    const Window& w = op.window;
    const Count size = Count(w.stride[axis]) * (Count(input[axis + 2].size) - 1) + op.output_padding[axis] +
                       (Count(w.kernel[axis]) - 1) * w.dilation[axis] + 1 - w.pad_begin[axis] -
                       w.pad_end[axis];
    if (size.overflowed() || size.exact() < 1) return wrong("the padding removes the whole axis", input);
    result.push_back({size.exact()});
  }
  return one(result.as_image());
}

Shapes infer_one(const Dense& op, const Shape& input) {
  if (input.rank() == 0) return wrong("a dense layer needs at least one axis", input);
  if (input[input.rank() - 1].batched)
    return wrong("the batch cannot be on the last axis of a dense layer", input);
  if (op.out_features <= 0) return wrong("a dense layer needs at least one output", input);
  Shape result = input.as_plain();
  result[result.rank() - 1] = {op.out_features};
  return one(result);
}

Shapes infer_one(const Recurrent& op, const Shape& input) {
  if (input.rank() != 3) return wrong("a recurrent layer needs steps, batch and features", input);
  const Dim steps = input[op.batch_first ? 1 : 0];
  const Dim batch = input[op.batch_first ? 0 : 1];
  std::vector<Shape> results;
  if (op.batch_first) {
    results = {Shape{batch, steps, {op.directions}, {op.hidden}}, Shape{batch, {op.directions}, {op.hidden}}};
  } else {
    results = {Shape{steps, {op.directions}, batch, {op.hidden}}, Shape{{op.directions}, batch, {op.hidden}}};
  }
  if (op.cell == RecurrentCell::lstm) results.push_back(results[1]);
  return results;
}

// Normalizations: the output shape is that of the input, which needs a channel axis.
Shapes with_channels(const Shape& input) {
  if (input.rank() < 2) return wrong("channels are the second axis", input);
  if (input[1].batched) return wrong("the batch cannot be on the channel axis", input);
  return one(input);
}

Shapes infer_one(const GroupNorm& op, const Shape& input) {
  if (auto same = with_channels(input); !same) return same;
  if (op.groups < 0 || (op.groups > 0 && input[1].size % op.groups != 0)) {
    return fail(Errc::invalid_input, "{} groups do not divide the channels of {}", op.groups, to_text(input));
  }
  return one(input);
}

Shapes infer_one(const LayerNorm& op, const Shape& input) {
  if (op.axes == 0 || op.axes > input.rank())
    return wrong("a layer norm over more axes than there are", input);
  return one(input);
}

Shapes infer_one(const Elementwise& op, const Shape& input) {
  if (op.weight) {
    const auto together = broadcast(input, *op.weight);
    if (!together || *together != input) return wrong("the learned slopes do not broadcast", input);
  }
  return one(input);
}

Shapes infer_one(const Pool& op, const Shape& input) {
  const auto channels = channels_under(input, op.window.rank());
  if (!channels) return channels.error();
  const auto result = windowed(op.window, input, *channels, op.round_up);
  if (!result) return result.error();
  return one(*result);
}

Shapes infer_one(const AdaptivePool& op, const Shape& input) {
  const auto channels = channels_under(input, op.output.rank());
  if (!channels) return channels.error();
  Shape result{input[0], {*channels}};
  for (const std::int64_t size : op.output.sizes()) result.push_back({size});
  return one(result.as_image());
}

Shapes infer_one(const Reduce& op, const Shape& input) {
  std::vector<bool> reduced(input.rank(), op.axes.empty());
  for (const std::int64_t wanted : op.axes) {
    const auto axis = input.axis(wanted);
    if (!axis) return fail(Errc::invalid_input, "axis {} does not exist in {}", wanted, to_text(input));
    reduced[*axis] = true;
  }
  Shape result;
  for (std::size_t axis = 0; axis < input.rank(); ++axis) {
    if (!reduced[axis])
      result.push_back(input[axis]);
    else if (op.keep)
      result.push_back({1});
  }
  result.set_image(input.is_image() && op.keep);
  return one(result);
}

Shapes infer_one(const Split& op, const Shape& input) {
  const auto axis = input.axis(op.axis);
  if (!axis) return fail(Errc::invalid_input, "axis {} does not exist in {}", op.axis, to_text(input));
  if (input[*axis].batched) return wrong("the batch cannot be split", input);
  Count sum = 0;
  std::vector<Shape> parts;
  for (const std::int64_t size : op.sizes) {
    sum += size;
    parts.push_back(input);
    parts.back()[*axis] = {size};
  }
  if (sum.overflowed() || sum.exact() != input[*axis].size) {
    return fail(Errc::invalid_input, "sizes {} do not add up to axis {} of {}", sizes_text(op.sizes), op.axis,
                to_text(input));
  }
  return parts;
}

Shapes infer_one(const Pad& op, const Shape& input) {
  if (op.begin.size() != input.rank() || op.end.size() != input.rank()) {
    return wrong("a padding needs one number per axis and side", input);
  }
  Shape result = input;
  for (std::size_t axis = 0; axis < input.rank(); ++axis) {
    if (op.begin[axis] == 0 && op.end[axis] == 0) continue;
    if (input[axis].batched) return wrong("the batch cannot be padded", input);
    const Count size = Count(input[axis].size) + op.begin[axis] + op.end[axis];
    if (size.overflowed() || size.exact() < 1) return wrong("the padding removes the whole axis", input);
    result[axis] = {size.exact()};
  }
  return one(result);
}

Shapes infer_one(const Reshape& op, const Shape& input) {
  // Equal counts at batches 1 and 2 imply equal counts at all: the batch enters as a power at most.
  for (const std::int64_t batch : {1, 2}) {
    const Count before = input.elements(batch);
    const Count after = op.result.elements(batch);
    if (before.overflowed() || after.overflowed() || before.exact() != after.exact()) {
      return fail(Errc::invalid_input, "{} and {} have different element counts", to_text(op.result),
                  to_text(input));
    }
  }
  return one(op.result);
}

Shapes infer_one(const Transpose& op, const Shape& input) {
  std::vector<bool> seen(input.rank(), false);
  Shape result;
  for (const std::int64_t wanted : op.order) {
    const auto axis = input.axis(wanted);
    if (!axis || seen[*axis] || op.order.size() != input.rank()) {
      return fail(Errc::invalid_input, "{} is not a permutation of the axes of {}", sizes_text(op.order),
                  to_text(input));
    }
    seen[*axis] = true;
    result.push_back(input[*axis]);
  }
  if (op.order.size() != input.rank()) return wrong("the permutation omits an axis", input);
  return one(result);
}

Shapes infer_one(const Embedding& op, const Shape& indices) {
  if (op.rows <= 0 || op.width <= 0) return wrong("an embedding needs rows and columns", indices);
  if (indices.rank() >= Shape::kMaxRank) return wrong("too many axes", indices);
  Shape result = indices.as_plain();
  result.push_back({op.width});
  return one(result);
}

Shapes infer_many(const Concat& op, std::span<const Shape> inputs) {
  Shape result = inputs[0];
  const auto axis = result.axis(op.axis);
  if (!axis) return fail(Errc::invalid_input, "axis {} does not exist in {}", op.axis, to_text(result));
  for (const Shape& next : inputs.subspan(1)) {
    bool fits = next.rank() == result.rank();
    for (std::size_t i = 0; fits && i < next.rank(); ++i) {
      fits = i == *axis ? next[i].batched == result[i].batched : next[i] == result[i];
    }
    const Count size = fits ? Count(result[*axis].size) + next[*axis].size : Count(0);
    if (!fits || size.overflowed()) {
      return fail(Errc::invalid_input, "{} cannot be concatenated to {} along axis {}", to_text(next),
                  to_text(result), op.axis);
    }
    result[*axis].size = size.exact();
  }
  return one(result);
}

Shapes infer_many(const Arithmetic& op, std::span<const Shape> inputs) {
  Shape result = inputs[0];
  const auto stretch = [&](const Shape& next) -> Result<> {
    const auto together = broadcast(result, next);
    if (!together)
      return fail(Errc::invalid_input, "{} and {} do not broadcast", to_text(result), to_text(next));
    result = *together;
    return {};
  };
  for (const Shape& next : inputs.subspan(1)) {
    if (const auto fits = stretch(next); !fits) return fits.error();
  }
  if (op.weight) {
    if (const auto fits = stretch(*op.weight); !fits) return fits.error();
  }
  return one(result);
}

Shapes infer_any(const Operation& operation, std::span<const Shape> inputs) {
  return std::visit(
      Overloaded{
          [&](const Input&) -> Shapes { return fail(Errc::invalid_input, "an input has no shape rule"); },
          [&](const MatrixProduct& op) -> Shapes {
            const auto product = infer_product(op, inputs);
            if (!product) return product.error();
            return one(product->result);
          },
          [&](const Einsum& op) -> Shapes {
            const auto sum = infer_einsum(op.equation, inputs);
            if (!sum) return sum.error();
            return one(sum->result);
          },
          [&](const BatchNorm&) { return with_channels(inputs[0]); },
          [&](const LocalResponseNorm&) { return with_channels(inputs[0]); },
          [&](const Normalization&) { return with_channels(inputs[0]); },
          [&](const Softmax& op) -> Shapes {
            if (!inputs[0].axis(op.axis)) return wrong("softmax over an axis that does not exist", inputs[0]);
            return one(inputs[0]);
          },
          [&](const Concat& op) { return infer_many(op, inputs); },
          [&](const Arithmetic& op) { return infer_many(op, inputs); },
          [&](const Slice& op) { return one(op.result); },
          [&](const Resize& op) { return one(op.result); },
          [&](const Expand& op) { return one(op.result); },
          [&](const Parameter& op) { return one(op.result); },
          [&](const Gather& op) { return one(op.result); },
          [&](const Dropout&) { return one(inputs[0]); },
          [&](const Identity&) { return one(inputs[0]); },
          [&](const Unknown& op) -> Shapes { return op.results; },
          [&](const auto& op) { return infer_one(op, inputs[0]); },
      },
      operation);
}

}  // namespace

Result<> check_shape(const Shape& shape) {
  for (const Dim& dim : shape.dims()) {
    if (dim.size < 1) return wrong("every extent must be at least 1", shape);
  }
  if (shape.elements(1).overflowed()) return wrong("a tensor must have fewer than 2^63 elements", shape);
  return {};
}

Result<ProductShape> infer_product(const Shape& left, const Shape& right) {
  if (left.rank() == 0 || right.rank() == 0) {
    return fail(Errc::invalid_input, "a matrix product of a scalar: {} and {}", to_text(left),
                to_text(right));
  }
  // A vector is a matrix of one row (left) or one column (right).
  Shape a = left.rank() == 1 ? Shape{{1}, left[0]} : left.as_plain();
  Shape b = right.rank() == 1 ? Shape{right[0], {1}} : right.as_plain();
  const Dim inner = a[a.rank() - 1];
  const auto leading_of = [](const Shape& s) { return Shape::of(s.dims().first(s.rank() - 2)); };
  const auto leading = broadcast(leading_of(a), leading_of(b));
  if (inner != b[b.rank() - 2] || !leading) {
    return fail(Errc::invalid_input, "{} cannot be multiplied by {}", to_text(left), to_text(right));
  }
  Shape result = *leading;
  if (left.rank() > 1) result.push_back(a[a.rank() - 2]);
  if (right.rank() > 1) result.push_back(b[b.rank() - 1]);
  return ProductShape{result.as_plain(), inner};
}

Result<ProductShape> infer_product(const MatrixProduct& product, std::span<const Shape> inputs) {
  if (inputs.size() != (product.weight ? 1U : 2U)) {
    return fail(Errc::invalid_input, "a matrix product takes two operands");
  }
  if (!product.weight) return infer_product(inputs[0], inputs[1]);
  return product.weight_on_left ? infer_product(*product.weight, inputs[0])
                                : infer_product(inputs[0], *product.weight);
}

Result<std::vector<Shape>> infer(const Operation& operation, std::span<const Shape> inputs) {
  const bool needs_input = !std::holds_alternative<Parameter>(operation) &&
                           !std::holds_alternative<Unknown>(operation) &&
                           !std::holds_alternative<Input>(operation);
  if (needs_input && inputs.empty()) return fail(Errc::invalid_input, "an operation without inputs");
  auto shapes = infer_any(operation, inputs);
  if (!shapes) return shapes;
  for (const Shape& shape : *shapes) {
    if (const auto good = check_shape(shape); !good) return good.error();
  }
  return shapes;
}

}  // namespace ergon::graph
