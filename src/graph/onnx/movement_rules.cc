// Operations that move elements without changing them.

#include <algorithm>
#include <cmath>

#include "graph/onnx/element_types.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

Result<Lowered> identity(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  return Lowered{Identity{}, {0}, {}, {}};
}

Result<Lowered> dropout(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  return Lowered{Dropout{}, {0}, {}, {}};
}

Result<Lowered> transpose(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  auto order = call.integers("perm");
  if (!order) {
    order.emplace();
    for (std::size_t i = input->rank(); i > 0; --i) order->push_back(static_cast<std::int64_t>(i) - 1);
  }
  return Lowered{Transpose{std::move(*order)}, {0}, {}, {}};
}

Result<Lowered> concat(const NodeCall& call) {
  if (!call.integer("axis")) return fail(Errc::invalid_input, "the attribute axis is missing");
  Lowered lowered{Concat{call.integer("axis", 1)}, {}, {}, {}};
  for (std::size_t i = 0; i < call.size(); ++i) {
    const auto shape = call.shape(i);
    if (!shape) return shape.error();
    // Skip empty inputs.
    const auto axis = shape->axis(call.integer("axis", 1));
    if (axis && (*shape)[*axis] == Dim{0, false}) continue;
    lowered.operands.push_back(i);
  }
  if (lowered.operands.empty()) return fail(Errc::invalid_input, "no inputs to concatenate");
  return lowered;
}

Result<Lowered> split(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const std::int64_t wanted = call.integer("axis", 0);
  const auto axis = input->axis(wanted);
  if (!axis) return fail(Errc::invalid_input, "axis {} does not exist in {}", wanted, to_text(*input));
  const auto given = call.attribute_or_input("split", 1);
  if (!given) return given.error();
  Split op{wanted, given->value_or(std::vector<std::int64_t>())};
  if (!*given) {
    // Equal parts; the last one may be smaller.
    const auto parts = static_cast<std::int64_t>(call.outputs());
    const std::int64_t size = (*input)[*axis].size;
    const std::int64_t each = parts == 0 ? 0 : size / parts + (size % parts != 0 ? 1 : 0);
    if (call.opset() < 18 && parts > 0 && size % parts != 0) {
      return fail(Errc::invalid_input, "{} elements do not divide into {} equal parts", size, parts);
    }
    for (std::int64_t i = 0; i < parts; ++i) op.sizes.push_back(std::min(each, size - i * each));
  }
  if (op.sizes.size() != call.outputs()) {
    return fail(Errc::invalid_input, "{} parts for {} outputs", op.sizes.size(), call.outputs());
  }
  return Lowered{std::move(op), {0}, {}, {}};
}

// Number of elements of a slice of one axis.
std::int64_t sliced(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto wrap = [&](std::int64_t i) { return i < 0 ? (i < -size ? std::int64_t{-1} : i + size) : i; };
  if (step > 0) {
    const std::int64_t first =
        std::clamp<std::int64_t>(start < 0 ? std::max(wrap(start), std::int64_t{0}) : start, 0, size);
    const std::int64_t last =
        std::clamp<std::int64_t>(end < 0 ? std::max(wrap(end), std::int64_t{0}) : end, 0, size);
    return last <= first ? 0 : (last - first - 1) / step + 1;
  }
  const std::int64_t first = std::clamp<std::int64_t>(wrap(start), -1, size - 1);
  const std::int64_t last = std::clamp<std::int64_t>(wrap(end), -1, size - 1);
  if (first <= last) return 0;
  // INT64_MIN cannot be negated; a step that large selects one element.
  const std::int64_t stride = step == INT64_MIN ? INT64_MAX : -step;
  return (first - last - 1) / stride + 1;
}

Result<Lowered> slice(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto starts = call.attribute_or_input("starts", 1);
  const auto ends = starts ? call.attribute_or_input("ends", 2) : starts;
  const auto axes = ends ? call.attribute_or_input("axes", 3) : ends;
  const auto steps = axes ? call.attribute_or_input("steps", 4) : axes;
  if (!steps) return steps.error();
  if (!*starts || !*ends || (*starts)->size() != (*ends)->size()) {
    return fail(Errc::invalid_input, "starts, ends, axes and steps differ in length");
  }
  Slice op{*input, {}, **starts, **ends, {}};
  const std::size_t count = op.starts.size();
  for (std::size_t i = 0; i < count; ++i) {
    op.axes.push_back(*axes && i < (*axes)->size() ? (**axes)[i] : static_cast<std::int64_t>(i));
    op.steps.push_back(*steps && i < (*steps)->size() ? (**steps)[i] : 1);
    const auto axis = input->axis(op.axes[i]);
    if (!axis || op.steps[i] == 0) {
      return fail(Errc::invalid_input, "invalid axis {} or step {} for {}", op.axes[i], op.steps[i],
                  to_text(*input));
    }
    Dim& dim = op.result[*axis];
    if (dim.batched) {
      const bool whole = op.starts[i] == 0 && op.steps[i] == 1 && op.ends[i] >= INT32_MAX;
      if (!whole) return fail(Errc::unsupported, "the batch of {} cannot be sliced", to_text(*input));
      continue;
    }
    dim.size = sliced(dim.size, op.starts[i], op.ends[i], op.steps[i]);
    if (dim.size == 0 && !call.in(0).constant()) {
      return fail(Errc::invalid_input, "the slice of axis {} of {} is empty", op.axes[i], to_text(*input));
    }
  }
  return Lowered{std::move(op), {0}, {}, {}};
}

Result<Lowered> gather(const NodeCall& call) {
  const auto data = call.shape(0);
  if (!data) return data.error();
  const auto indices = call.shape(1);
  if (!indices) return indices.error();
  const auto axis = data->axis(call.integer("axis", 0));
  if (!axis)
    return fail(Errc::invalid_input, "axis {} does not exist in {}", call.integer("axis", 0), to_text(*data));
  if (data->rank() - 1 + indices->rank() > Shape::kMaxRank) return fail(Errc::unsupported, "too many axes");
  const bool table =
      call.in(0).constant() && !call.in(1).constant() && data->rank() == 2 && *axis == 0 && !data->batched();
  if (table) {
    return Lowered{
        Embedding{(*data)[0].size, (*data)[1].size}, {1}, {{0, WeightRole::table}}, {call.in(0).type}};
  }
  Shape result;
  for (std::size_t i = 0; i < data->rank(); ++i) {
    if (i != *axis) {
      result.push_back((*data)[i]);
      continue;
    }
    for (const Dim& dim : indices->dims()) result.push_back(dim);
  }
  Lowered lowered{Gather{result}, {0}, {}, {call.in(0).type}};
  if (!call.in(1).constant()) lowered.operands = {0, 1};
  return lowered;
}

// The result has the shape of the indices.
Result<Lowered> gather_elements(const NodeCall& call) {
  const auto data = call.shape(0);
  if (!data) return data.error();
  const auto indices = call.shape(1);
  if (!indices) return indices.error();
  return Lowered{Gather{*indices}, {0, 1}, {}, {call.in(0).type}};
}

Result<Lowered> gather_nd(const NodeCall& call) {
  const auto data = call.shape(0);
  if (!data) return data.error();
  const auto indices = call.shape(1);
  if (!indices) return indices.error();
  const std::int64_t shared = call.integer("batch_dims", 0);
  if (indices->rank() == 0) return fail(Errc::invalid_input, "indices are a scalar");
  const Dim depth = (*indices)[indices->rank() - 1];
  if (depth.batched || shared < 0 || depth.size < 0 ||
      (Count(depth.size) + shared).value().value_or(INT64_MAX) > static_cast<std::int64_t>(data->rank())) {
    return fail(Errc::invalid_input, "indices of shape {} do not match {}", to_text(*indices),
                to_text(*data));
  }
  std::vector<Dim> dims(indices->dims().begin(), indices->dims().end() - 1);
  const auto rest = data->dims().subspan(static_cast<std::size_t>(depth.size + shared));
  dims.insert(dims.end(), rest.begin(), rest.end());
  if (dims.size() > Shape::kMaxRank) return fail(Errc::unsupported, "too many axes");
  return Lowered{Gather{Shape::of(dims)}, {0, 1}, {}, {call.in(0).type}};
}

// Writes updates into a copy of the data.
Result<Lowered> scatter(const NodeCall& call) {
  const auto data = call.shape(0);
  if (!data) return data.error();
  Lowered lowered{Arithmetic{Combine::where}, {0}, {}, {call.in(0).type}};
  return lowered;
}

Result<Lowered> expand(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto target = call.contents(1, "shape");
  if (!target) return target.error();
  if (target->size() > Shape::kMaxRank)
    return fail(Errc::unsupported, "{} axes are not supported", target->size());
  const auto result = broadcast(*input, Shape::of(*target));
  if (!result) return fail(Errc::invalid_input, "{} does not broadcast to the target shape", to_text(*input));
  return Lowered{Expand{*result}, {0}, {}, {}};
}

Result<Lowered> tile(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto repeats = call.contents(1, "list of repeats");
  if (!repeats) return repeats.error();
  if (repeats->size() != input->rank())
    return fail(Errc::invalid_input, "repeats do not match the axes of {}", to_text(*input));
  Shape result = *input;
  for (std::size_t i = 0; i < input->rank(); ++i) {
    const Count size = Count(result[i].size) * (*repeats)[i].size;
    if (size.overflowed() || (result[i].batched && (*repeats)[i].batched)) {
      return fail(Errc::invalid_input, "axis {} exceeds 64 bits", i);
    }
    result[i] = {size.exact(), result[i].batched || (*repeats)[i].batched};
  }
  return Lowered{Expand{result}, {0}, {}, {}};
}

Result<Lowered> pad(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto pads = call.attribute_or_input("pads", 1);
  if (!pads) return pads.error();
  if (!*pads || (*pads)->size() % 2 != 0)
    return fail(Errc::invalid_input, "pads are missing or odd in number");
  const std::size_t half = (*pads)->size() / 2;
  std::vector<std::int64_t> axes;
  if (call.has(3)) {
    auto given = call.fixed_contents(3, "list of axes");
    if (!given) return given.error();
    axes = std::move(*given);
  } else {
    for (std::size_t i = 0; i < half; ++i) axes.push_back(static_cast<std::int64_t>(i));
  }
  if (axes.size() != half)
    return fail(Errc::invalid_input, "{} pads for {} axes", (*pads)->size(), axes.size());
  Pad op{std::vector<std::int64_t>(input->rank(), 0), std::vector<std::int64_t>(input->rank(), 0)};
  for (std::size_t i = 0; i < half; ++i) {
    const auto axis = input->axis(axes[i]);
    if (!axis) return fail(Errc::invalid_input, "axis {} does not exist in {}", axes[i], to_text(*input));
    op.begin[*axis] = (**pads)[i];
    op.end[*axis] = (**pads)[i + half];
  }
  return Lowered{std::move(op), {0}, {}, {}};
}

Result<Lowered> top_k(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  std::int64_t count = call.integer("k", 0);
  if (call.has(1)) {
    const auto given = call.fixed_contents(1, "count");
    if (!given) return given.error();
    count = given->empty() ? 0 : given->front();
  }
  const auto axis = input->axis(call.integer("axis", -1));
  if (!axis || count < 1 || (!(*input)[*axis].batched && count > (*input)[*axis].size))
    return fail(Errc::invalid_input, "TopK with K = {} of {} is not possible", count, to_text(*input));
  Shape result = *input;
  result[*axis] = {count};
  return Lowered{Unknown{"", "TopK", {result, result}}, {0}, {}, {call.in(0).type, ElementType::int64}};
}

Result<Lowered> one_hot(const NodeCall& call) {
  const auto indices = call.shape(0);
  if (!indices) return indices.error();
  auto depth = call.fixed_contents(1, "depth");
  if (!depth && call.has(1) && call.in(1).reals && call.in(1).reals->size() == 1 &&
      std::abs(call.in(1).reals->front()) < 1e15) {
    depth = std::vector<std::int64_t>{static_cast<std::int64_t>(call.in(1).reals->front())};
  }
  if (!depth) return depth.error();
  const std::int64_t rank = static_cast<std::int64_t>(indices->rank()) + 1;
  std::int64_t axis = call.integer("axis", -1);
  if (axis < 0) axis += rank;
  if (depth->size() != 1 || axis < 0 || axis >= rank || indices->rank() >= Shape::kMaxRank) {
    return fail(Errc::invalid_input, "OneHot of {} along axis {} is not possible", to_text(*indices), axis);
  }
  std::vector<Dim> dims(indices->dims().begin(), indices->dims().end());
  dims.insert(dims.begin() + axis, Dim{depth->front()});
  const ElementType type = call.has(2) ? call.in(2).type : ElementType::float32;
  return Lowered{Gather{Shape::of(dims)}, {0}, {}, {type}};
}

// Fills a shape that is known at import.
Result<Lowered> constant_of_shape(const NodeCall& call) {
  const auto dims = call.contents(0, "shape");
  if (!dims) return dims.error();
  if (dims->size() > Shape::kMaxRank)
    return fail(Errc::unsupported, "{} axes are not supported", dims->size());
  ElementType type = ElementType::float32;
  if (const auto* value = call.attribute("value"); value != nullptr && value->has_t()) {
    type = element_type_of(value->t().data_type()).value_or(type);
  }
  return Lowered{Expand{Shape::of(*dims)}, {0}, {}, {type}};
}

// Random numbers and similar, with the shape of another tensor.
Result<Lowered> like(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  return Lowered{Expand{*input}, {0}, {}, {}};
}

}  // namespace

std::vector<NamedRule> movement_rules() {
  return {
      {"Identity", identity},
      {"Dropout", dropout},
      {"Transpose", transpose},
      {"Concat", concat},
      {"Split", split},
      {"Slice", slice},
      {"Gather", gather},
      {"GatherElements", gather_elements},
      {"GatherND", gather_nd},
      {"ScatterElements", scatter},
      {"ScatterND", scatter},
      {"Scatter", scatter},
      {"Expand", expand},
      {"Tile", tile},
      {"Pad", pad},
      {"TopK", top_k},
      {"OneHot", one_hot},
      {"ConstantOfShape", constant_of_shape},
      {"RandomNormalLike", like},
      {"RandomUniformLike", like},
      {"EyeLike", like},
  };
}

}  // namespace ergon::graph::onnx
