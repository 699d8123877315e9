// Constant folding of operators that move, select or repeat elements.

#include <algorithm>
#include <cstring>

#include "graph/onnx/constant_arithmetic.h"
#include "graph/onnx/elements.h"
#include "graph/onnx/stored_tensor.h"
#include "graph/onnx/strided.h"

namespace ergon::graph::onnx {
namespace {

using Inputs = std::span<const std::shared_ptr<const StoredTensor>>;
using Moved = std::optional<StoredTensor>;

// Copies the elements at these strides in row-major order. Contract: all offsets are in range.
Moved collected(const StoredTensor& from, const Sizes& sizes, const Sizes& strides, std::int64_t base) {
  const auto width = width_of(from.type);
  if (!width) return std::nullopt;
  StoredTensor to{from.type, sizes,
                  std::vector<std::byte>(static_cast<std::size_t>(elements_of(sizes)) * *width)};
  std::byte* block = to.bytes.data();
  walk_strided(sizes, strides, base, [&](std::int64_t offset) {
    std::memcpy(block, from.bytes.data() + static_cast<std::size_t>(offset) * *width, *width);
    block += *width;
  });
  return to;
}

Moved reshaped(const StoredTensor& from, const Sizes& sizes) {
  if (elements_of(sizes) != elements_of(from.sizes)) return std::nullopt;
  StoredTensor to = from;
  to.sizes = sizes;
  return to;
}

Moved transposed(const NodeCall& call, const StoredTensor& from) {
  const std::size_t rank = from.sizes.size();
  Sizes order = call.integers("perm").value_or(Sizes());
  if (order.empty()) {
    for (std::size_t i = rank; i > 0; --i) order.push_back(static_cast<std::int64_t>(i) - 1);
  }
  if (order.size() != rank) return std::nullopt;
  const Sizes dense = strides_of(from.sizes);
  Sizes sizes;
  Sizes strides;
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    sizes.push_back(from.sizes[static_cast<std::size_t>(axis)]);
    strides.push_back(dense[static_cast<std::size_t>(axis)]);
  }
  return collected(from, sizes, strides, 0);
}

std::optional<std::size_t> axis_of(const StoredTensor& tensor, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(tensor.sizes.size());
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

// The sizes are known from the import; only the start is computed here.
Moved sliced(const NodeCall& call, const StoredTensor& from, const Sizes& sizes) {
  const auto starts = call.attribute_or_input("starts", 1);
  const auto axes = call.attribute_or_input("axes", 3);
  const auto steps = call.attribute_or_input("steps", 4);
  if (!starts || !*starts || !axes || !steps || sizes.size() != from.sizes.size()) return std::nullopt;
  Sizes strides = strides_of(from.sizes);
  std::int64_t base = 0;
  for (std::size_t i = 0; i < (*starts)->size(); ++i) {
    const auto axis =
        axis_of(from, *axes && i < (*axes)->size() ? (**axes)[i] : static_cast<std::int64_t>(i));
    if (!axis) return std::nullopt;
    const std::int64_t step = *steps && i < (*steps)->size() ? (**steps)[i] : 1;
    const std::int64_t size = from.sizes[*axis];
    std::int64_t first = (**starts)[i];
    if (first < 0) first = first < -size ? (step > 0 ? 0 : -1) : first + size;
    first = std::min(first, step > 0 ? size : size - 1);
    const std::int64_t count = sizes[*axis];
    if (count > 0 && (first < 0 || first >= size)) return std::nullopt;
    if (count > 1) {
      const std::int64_t room = step > 0 ? size - 1 - first : first;
      if (step == 0 || step < -size || step > size || (count - 1) * std::abs(step) > room)
        return std::nullopt;
    }
    base += first * strides[*axis];
    strides[*axis] *= count > 1 ? step : 1;
  }
  return elements_of(sizes) == 0 ? collected(from, sizes, strides, 0) : collected(from, sizes, strides, base);
}

// Bytes per index of an axis, and the number of repetitions of the axis.
struct Blocks {
  std::size_t inner = 0;
  std::size_t outer = 1;
};

std::optional<Blocks> blocks_of(const StoredTensor& tensor, std::size_t axis) {
  const auto width = width_of(tensor.type);
  if (!width) return std::nullopt;
  Blocks blocks{*width, 1};
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    const auto size = static_cast<std::size_t>(tensor.sizes[i]);
    if (i < axis) blocks.outer *= size;
    if (i > axis) blocks.inner *= size;
  }
  return blocks;
}

Moved joined(const NodeCall& call, Inputs inputs, const Sizes& sizes) {
  const StoredTensor& first = *inputs.front();
  const auto axis = axis_of(first, call.integer("axis", 0));
  if (!axis) return std::nullopt;
  StoredTensor to{first.type, sizes, {}};
  const auto blocks = blocks_of(first, *axis);
  if (!blocks) return std::nullopt;
  for (const auto& part : inputs) {
    Sizes others = part->sizes;
    if (part->type != first.type || others.size() != sizes.size()) return std::nullopt;
    others[*axis] = sizes[*axis];
    if (others != sizes) return std::nullopt;
  }
  for (std::size_t outer = 0; outer < blocks->outer; ++outer) {
    for (const auto& part : inputs) {
      const std::size_t length = blocks->inner * static_cast<std::size_t>(part->sizes[*axis]);
      const auto begin = part->bytes.begin() + static_cast<std::ptrdiff_t>(outer * length);
      to.bytes.insert(to.bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
    }
  }
  const bool fits = to.bytes.size() == static_cast<std::size_t>(elements_of(sizes)) * *width_of(first.type);
  return fits ? Moved(std::move(to)) : std::nullopt;
}

Moved gathered(const NodeCall& call, const StoredTensor& data, const StoredTensor& index_tensor,
               const Sizes& sizes) {
  const auto axis = axis_of(data, call.integer("axis", 0));
  const auto indices = integers_of(index_tensor);
  if (!axis || !indices) return std::nullopt;
  const auto blocks = blocks_of(data, *axis);
  if (!blocks) return std::nullopt;
  const std::int64_t size = data.sizes[*axis];
  StoredTensor to{data.type, sizes, {}};
  for (std::size_t outer = 0; outer < blocks->outer; ++outer) {
    for (const std::int64_t given : *indices) {
      const std::int64_t index = given < 0 ? given + size : given;
      if (index < 0 || index >= size) return std::nullopt;
      const std::size_t block = outer * static_cast<std::size_t>(size) + static_cast<std::size_t>(index);
      const auto begin = data.bytes.begin() + static_cast<std::ptrdiff_t>(block * blocks->inner);
      to.bytes.insert(to.bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(blocks->inner));
    }
  }
  const bool fits = to.bytes.size() == static_cast<std::size_t>(elements_of(sizes)) * *width_of(data.type);
  return fits ? Moved(std::move(to)) : std::nullopt;
}

Moved expanded(const StoredTensor& from, const Sizes& sizes) {
  const auto strides = broadcast_strides(from.sizes, sizes);
  return strides ? collected(from, sizes, *strides, 0) : std::nullopt;
}

Moved filled(const NodeCall& call, const Sizes& sizes) {
  StoredTensor element{ElementType::float32, {}, std::vector<std::byte>(4)};
  if (const auto* value = call.attribute("value"); value != nullptr && value->has_t()) {
    auto given = stored_tensor(value->t(), "");
    if (!given || elements_of(given->sizes) != 1) return std::nullopt;
    element = std::move(*given);
  }
  return collected(element, sizes, Sizes(sizes.size(), 0), 0);
}

// Trilu: keeps one triangle of each matrix.
Moved triangle(const NodeCall& call, const StoredTensor& from) {
  std::int64_t diagonal = 0;
  if (call.has(1)) {
    const auto given = call.fixed_contents(1, "diagonal");
    if (!given || given->size() != 1) return std::nullopt;
    diagonal = given->front();
  }
  const auto width = width_of(from.type);
  const std::size_t rank = from.sizes.size();
  if (!width || rank < 2 || std::abs(diagonal) > INT32_MAX) return std::nullopt;
  const bool upper = call.integer("upper", 1) != 0;
  StoredTensor to = from;
  const std::int64_t rows = from.sizes[rank - 2];
  const std::int64_t columns = from.sizes[rank - 1];
  for (std::int64_t i = 0; i < elements_of(from.sizes); ++i) {
    const std::int64_t ahead = i % columns - i / columns % rows - diagonal;
    if (upper ? ahead >= 0 : ahead <= 0) continue;
    std::memset(to.bytes.data() + static_cast<std::size_t>(i) * *width, 0, *width);
  }
  return to;
}

}  // namespace

std::optional<StoredTensor> moved(const NodeCall& call, Inputs inputs, const Sizes& sizes) {
  const std::string& type = call.type();
  if (type == "ConstantOfShape") return filled(call, sizes);
  const StoredTensor& first = *inputs[0];
  if (type == "Concat") return joined(call, inputs, sizes);
  if (type == "Gather") return gathered(call, first, *inputs[1], sizes);
  if (type == "Transpose") return transposed(call, first);
  if (type == "Slice") return sliced(call, first, sizes);
  if (type == "Expand") return expanded(first, sizes);
  if (type == "Trilu") return triangle(call, first);
  if (type == "Identity" || type == "Reshape" || type == "Flatten" || type == "Squeeze" ||
      type == "Unsqueeze")
    return reshaped(first, sizes);
  return std::nullopt;
}

}  // namespace ergon::graph::onnx
