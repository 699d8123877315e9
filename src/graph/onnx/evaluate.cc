// Shape arithmetic.
//
// Exporters compute target shapes inside the graph: take the shape of a tensor, select an extent, multiply,
// concatenate. Such values do not depend on data and are computed here with a symbolic batch: every number is
// n or n * batch. Anything else (batch * batch, batch + 1) is unknown.

#include <algorithm>
#include <cmath>
#include <functional>

#include "graph/onnx/element_types.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

using Numbers = std::optional<std::vector<Dim>>;
using OneNumber = std::optional<Dim>;

constexpr std::size_t kMaxShapeElements = 4096;  // longer tensors are not shapes

OneNumber number(Count value, bool batched) {
  if (value.overflowed()) return std::nullopt;
  return Dim{value.exact(), batched && value.exact() != 0};
}

OneNumber sum(const Dim& a, const Dim& b) {
  if (a.size == 0) return b;
  if (b.size == 0) return a;
  if (a.batched != b.batched) return std::nullopt;
  return number(Count(a.size) + b.size, a.batched);
}

OneNumber difference(const Dim& a, const Dim& b) {
  const auto minus = number(Count(0) - b.size, b.batched);
  return minus ? sum(a, *minus) : std::nullopt;
}

OneNumber product(const Dim& a, const Dim& b) {
  if (a.batched && b.batched) return std::nullopt;
  return number(Count(a.size) * b.size, a.batched || b.batched);
}

OneNumber quotient(const Dim& a, const Dim& b) {
  if (b.size == 0 || (a.size == INT64_MIN && b.size == -1)) return std::nullopt;
  if (a.batched == b.batched) return Dim{a.size / b.size, false};
  // n * batch / m is a multiple of the batch only when m divides n.
  if (b.batched || a.size % b.size != 0) return std::nullopt;
  return Dim{a.size / b.size, true};
}

// With the sign of the divisor.
OneNumber remainder(const Dim& a, const Dim& b) {
  if (a.batched || b.batched || b.size == 0 || b.size == -1) return std::nullopt;
  const std::int64_t rest = a.size % b.size;
  return Dim{rest != 0 && (rest < 0) != (b.size < 0) ? rest + b.size : rest, false};
}

OneNumber equal(const Dim& a, const Dim& b) {
  if (a == b) return Dim{1, false};
  // A multiple of the batch is positive.
  if (a.batched != b.batched && (a.batched ? b : a).size > 0) return std::nullopt;
  return Dim{0, false};
}

OneNumber minimum(const Dim& a, const Dim& b) {
  if (a.batched != b.batched) return std::nullopt;
  return a.size < b.size ? a : b;
}

OneNumber maximum(const Dim& a, const Dim& b) {
  if (a.batched != b.batched) return std::nullopt;
  return a.size < b.size ? b : a;
}

// Elementwise; a single number broadcasts.
Numbers each(const std::vector<Dim>& a, const std::vector<Dim>& b,
             OneNumber (*apply)(const Dim&, const Dim&)) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) return std::nullopt;
  if (a.empty() || b.empty()) return std::nullopt;
  std::vector<Dim> result;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const auto value = apply(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

const std::vector<Dim>* numbers_of(const NodeCall& call, std::size_t i) {
  return call.has(i) && call.in(i).integers ? &*call.in(i).integers : nullptr;
}

// Inputs are vectors or scalars; matrices would broadcast along both axes.
bool are_lists(const NodeCall& call) {
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call.has(i) || !call.in(i).shape) return false;
    if (call.in(i).shape->rank() > 1 && *call.in(i).shape != *call.in(0).shape) return false;
  }
  return true;
}

Numbers shape_of(const NodeCall& call) {
  if (!call.has(0) || !call.in(0).shape) return std::nullopt;
  const Shape& shape = *call.in(0).shape;
  const auto rank = static_cast<std::int64_t>(shape.rank());
  const auto resolve = [&](std::int64_t i) {
    return std::clamp<std::int64_t>(i < 0 ? i + rank : i, 0, rank);
  };
  const std::int64_t start = resolve(call.integer("start", 0));
  const std::int64_t end = resolve(call.integer("end", rank));
  std::vector<Dim> result;
  for (std::int64_t i = start; i < end; ++i) result.push_back(shape[static_cast<std::size_t>(i)]);
  return result;
}

Numbers size_of(const NodeCall& call) {
  if (!call.has(0) || !call.in(0).shape) return std::nullopt;
  OneNumber all = Dim{1, false};
  for (const Dim& dim : call.in(0).shape->dims()) {
    if (all) all = product(*all, dim);
  }
  if (!all) return std::nullopt;
  return std::vector<Dim>{*all};
}

Numbers concatenated(const NodeCall& call) {
  std::vector<Dim> result;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const auto* part = numbers_of(call, i);
    if (part == nullptr || result.size() + part->size() > kMaxShapeElements) return std::nullopt;
    result.insert(result.end(), part->begin(), part->end());
  }
  return result;
}

Numbers gathered(const NodeCall& call) {
  const auto* data = numbers_of(call, 0);
  const auto* indices = numbers_of(call, 1);
  if (data == nullptr || indices == nullptr || !call.in(0).shape || call.in(0).shape->rank() != 1)
    return std::nullopt;
  std::vector<Dim> result;
  for (const Dim& index : *indices) {
    const auto size = static_cast<std::int64_t>(data->size());
    const std::int64_t i = index.size < 0 ? index.size + size : index.size;
    if (index.batched || i < 0 || i >= size) return std::nullopt;
    result.push_back((*data)[static_cast<std::size_t>(i)]);
  }
  return result;
}

// A small integer tensor with known extents, in row-major order.
struct IntegerTensor {
  std::vector<std::int64_t> sizes;
  const std::vector<Dim>* numbers = nullptr;
};

std::optional<IntegerTensor> integer_tensor_of(const NodeCall& call) {
  const auto* numbers = numbers_of(call, 0);
  if (numbers == nullptr || !call.in(0).shape || call.in(0).shape->batched()) return std::nullopt;
  IntegerTensor grid{call.in(0).shape->at(1), numbers};
  std::size_t count = 1;
  for (const std::int64_t size : grid.sizes) count *= static_cast<std::size_t>(size);
  return count == numbers->size() ? std::optional(grid) : std::nullopt;
}

// Permutes the elements of a tensor: `source_of` maps an index of the result to an index of the tensor.
using Index = std::vector<std::int64_t>;
std::vector<Dim> rearranged(const IntegerTensor& grid, const Index& sizes,
                            const std::function<Index(const Index&)>& source_of) {
  std::vector<Dim> result;
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  for (std::int64_t i = 0; i < count; ++i) {
    Index index(sizes.size());
    std::int64_t rest = i;
    for (std::size_t axis = sizes.size(); axis > 0; --axis) {
      index[axis - 1] = rest % sizes[axis - 1];
      rest /= sizes[axis - 1];
    }
    const Index from = source_of(index);
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < from.size(); ++axis) offset = offset * grid.sizes[axis] + from[axis];
    result.push_back((*grid.numbers)[static_cast<std::size_t>(offset)]);
  }
  return result;
}

Numbers transposed(const NodeCall& call) {
  const auto grid = integer_tensor_of(call);
  if (!grid) return std::nullopt;
  Index order = call.integers("perm").value_or(Index());
  const std::size_t rank = grid->sizes.size();
  if (order.empty()) {
    for (std::size_t i = rank; i > 0; --i) order.push_back(static_cast<std::int64_t>(i) - 1);
  }
  Index sizes;
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    sizes.push_back(grid->sizes[static_cast<std::size_t>(axis)]);
  }
  if (order.size() != rank) return std::nullopt;
  return rearranged(*grid, sizes, [&](const Index& index) {
    Index from(rank);
    for (std::size_t i = 0; i < rank; ++i) from[static_cast<std::size_t>(order[i])] = index[i];
    return from;
  });
}

Numbers sliced_list(const NodeCall& call) {
  const auto grid = integer_tensor_of(call);
  if (!grid) return std::nullopt;
  const auto list = [&](const char* name, std::size_t i) -> std::optional<Index> {
    const auto given = call.attribute_or_input(name, i);
    return given && *given ? **given : std::optional<Index>();
  };
  const auto starts = list("starts", 1);
  const auto ends = list("ends", 2);
  const auto axes = list("axes", 3);
  const auto steps = list("steps", 4);
  if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
  Index sizes = grid->sizes;
  Index first(sizes.size(), 0);
  Index step(sizes.size(), 1);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto rank = static_cast<std::int64_t>(sizes.size());
    std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
    const auto at = static_cast<std::size_t>(axis);
    step[at] = steps && i < steps->size() ? (*steps)[i] : 1;
    if (step[at] == 0 || step[at] < -static_cast<std::int64_t>(kMaxShapeElements)) return std::nullopt;
    const std::int64_t size = grid->sizes[at];
    const std::int64_t low = step[at] > 0 ? 0 : -1;
    const std::int64_t high = step[at] > 0 ? size : size - 1;
    const auto bound = [&](std::int64_t value) {
      return std::clamp(value < 0 ? (value < -size ? low : value + size) : value, low, high);
    };
    first[at] = bound((*starts)[i]);
    const std::int64_t last = bound((*ends)[i]);
    const std::int64_t span = step[at] > 0 ? last - first[at] : first[at] - last;
    sizes[at] = span <= 0 ? 0 : (span - 1) / std::abs(step[at]) + 1;
  }
  return rearranged(*grid, sizes, [&](const Index& index) {
    Index from(index.size());
    for (std::size_t i = 0; i < index.size(); ++i) from[i] = first[i] + index[i] * step[i];
    return from;
  });
}

Numbers filled(const NodeCall& call) {
  const auto* dims = numbers_of(call, 0);
  if (dims == nullptr) return std::nullopt;
  Count size = 1;
  for (const Dim& dim : *dims) {
    if (dim.batched) return std::nullopt;
    size *= dim.size;
  }
  std::int64_t value = 0;
  if (const auto* given = call.attribute("value"); given != nullptr && given->has_t()) {
    const auto& tensor = given->t();
    if (tensor.data_type() != ::onnx::TensorProto::INT64) return std::nullopt;
    if (tensor.int64_data_size() == 1) {
      value = tensor.int64_data(0);
    } else if (tensor.raw_data().size() == sizeof(value)) {
      std::copy_n(tensor.raw_data().data(), sizeof(value), reinterpret_cast<char*>(&value));
    } else {
      return std::nullopt;
    }
  } else {
    return std::nullopt;  // floating-point zeros
  }
  if (size.overflowed() || size.exact() < 0 || size.exact() > static_cast<std::int64_t>(kMaxShapeElements))
    return std::nullopt;
  return std::vector<Dim>(static_cast<std::size_t>(size.exact()), Dim{value, false});
}

Numbers range(const NodeCall& call) {
  const auto* start = numbers_of(call, 0);
  const auto* limit = numbers_of(call, 1);
  const auto* step = numbers_of(call, 2);
  if (start == nullptr || limit == nullptr || step == nullptr) return std::nullopt;
  if (start->size() != 1 || limit->size() != 1 || step->size() != 1) return std::nullopt;
  const Dim a = start->front();
  const Dim b = limit->front();
  const Dim s = step->front();
  if (a.batched || b.batched || s.batched || s.size <= 0) return std::nullopt;
  std::vector<Dim> result;
  for (Count i = a.size; !i.overflowed() && i.exact() < b.size; i += s.size) {
    if (result.size() == kMaxShapeElements) return std::nullopt;
    result.push_back({i.exact(), false});
  }
  return result;
}

Numbers selected(const NodeCall& call) {
  if (!are_lists(call)) return std::nullopt;
  const auto* condition = numbers_of(call, 0);
  const auto* yes = numbers_of(call, 1);
  const auto* no = numbers_of(call, 2);
  if (condition == nullptr || yes == nullptr || no == nullptr) return std::nullopt;
  const std::size_t size = std::max({condition->size(), yes->size(), no->size()});
  const auto at = [&](const std::vector<Dim>& list, std::size_t i) -> OneNumber {
    if (list.size() != size && list.size() != 1) return std::nullopt;
    return list[list.size() == 1 ? 0 : i];
  };
  std::vector<Dim> result;
  for (std::size_t i = 0; i < size; ++i) {
    const auto flag = at(*condition, i);
    const auto value = flag ? at(flag->size != 0 ? *yes : *no, i) : std::nullopt;
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

// Product of all elements of a list.
Numbers multiplied(const NodeCall& call) {
  const auto* data = numbers_of(call, 0);
  if (data == nullptr || !call.in(0).shape || call.in(0).shape->rank() > 1) return std::nullopt;
  OneNumber all = Dim{1, false};
  for (const Dim& dim : *data) {
    if (all) all = product(*all, dim);
  }
  if (!all) return std::nullopt;
  return std::vector<Dim>{*all};
}

// Casts to integers; floating-point values are truncated.
Numbers whole_numbers(const NodeCall& call) {
  if (const auto* data = numbers_of(call, 0)) return *data;
  if (!call.has(0) || !call.in(0).reals) return std::nullopt;
  std::vector<Dim> result;
  for (const double real : *call.in(0).reals) {
    if (!(std::abs(real) < 1e15)) return std::nullopt;
    result.push_back({static_cast<std::int64_t>(real), false});
  }
  return result;
}

Numbers unchanged(const NodeCall& call) {
  const auto* data = numbers_of(call, 0);
  return data == nullptr ? Numbers() : Numbers(*data);
}

// Target type of a cast; empty if the node is not a cast or the type does not exist.
std::optional<ElementType> cast_to(const NodeCall& call) {
  if (call.type() == "Cast") return element_type_of(call.integer("to", 0));
  if (call.type() == "CastLike" && call.has(1)) return call.in(1).type;
  return std::nullopt;
}

// Expand or Tile of one number; lists of the target length stay unchanged.
Numbers repeated(const NodeCall& call) {
  const auto* data = numbers_of(call, 0);
  const auto* extents = numbers_of(call, 1);
  if (data == nullptr || extents == nullptr) return std::nullopt;
  Count size = 1;
  for (const Dim& extent : *extents) {
    if (extent.batched) return std::nullopt;
    size *= extent.size;
  }
  if (size.overflowed() || size.exact() < 1 || size.exact() > static_cast<std::int64_t>(kMaxShapeElements))
    return std::nullopt;
  const auto times = static_cast<std::size_t>(size.exact());
  if (data->size() == 1) return std::vector<Dim>(times, data->front());
  const bool as_it_is = call.in(0).shape && call.in(0).shape->rank() == 1 && extents->size() == 1 &&
                        (times == 1 || times == data->size());
  return as_it_is ? Numbers(*data) : std::nullopt;
}

// Range 0, 1, 2, ... with one number per sample, or a multiple of that.
bool counts_samples(const NodeCall& call) {
  const auto* from = numbers_of(call, 0);
  const auto* to = numbers_of(call, 1);
  const auto* step = numbers_of(call, 2);
  const auto is_one = [](const std::vector<Dim>* list, const Dim& value) {
    return list != nullptr && list->size() == 1 && list->front() == value;
  };
  return is_one(from, Dim{0}) && is_one(step, Dim{1}) && to != nullptr && to->size() == 1 &&
         to->front().batched && to->front().size > 0;
}

}  // namespace

std::optional<std::vector<Dim>> evaluate(const NodeCall& call) {
  const std::string& type = call.type();
  if (type == "Shape") return shape_of(call);
  if (type == "Size") return size_of(call);
  if (type == "Concat") return concatenated(call);
  if (type == "Gather") return gathered(call);
  if (type == "Slice") return sliced_list(call);
  if (type == "ConstantOfShape") return filled(call);
  if (type == "Range") return range(call);
  if (type == "Where") return selected(call);
  if (type == "ReduceProd") return multiplied(call);
  if (type == "Transpose") return transposed(call);
  if (type == "Expand") return repeated(call);
  if (const auto to = cast_to(call)) return is_floating(*to) ? std::nullopt : whole_numbers(call);
  if (type == "Identity" || type == "Squeeze" || type == "Unsqueeze" || type == "Reshape" ||
      type == "Flatten") {
    return unchanged(call);
  }
  using Apply = OneNumber (*)(const Dim&, const Dim&);
  static constexpr std::pair<std::string_view, Apply> kPairs[] = {
      {"Add", sum},       {"Sub", difference}, {"Mul", product}, {"Div", quotient},
      {"Mod", remainder}, {"Equal", equal},    {"Min", minimum}, {"Max", maximum}};
  for (const auto& [name, apply] : kPairs) {
    if (type != name) continue;
    const auto* a = numbers_of(call, 0);
    const auto* b = numbers_of(call, 1);
    if (a == nullptr || b == nullptr || call.size() != 2 || !are_lists(call)) return std::nullopt;
    return each(*a, *b, apply);
  }
  return std::nullopt;
}

bool produces_zeros(const NodeCall& call) {
  if (call.type() == "ConstantOfShape") {
    const auto* value = call.attribute("value");
    return value == nullptr || (value->t().float_data_size() == 1 && value->t().float_data(0) == 0) ||
           (value->t().has_raw_data() &&
            std::all_of(value->t().raw_data().begin(), value->t().raw_data().end(),
                        [](char byte) { return byte == 0; }));
  }
  static constexpr std::string_view kKeep[] = {"Expand",   "Tile",    "Cast",      "CastLike",
                                               "Identity", "Reshape", "Unsqueeze", "Squeeze"};
  if (std::find(std::begin(kKeep), std::end(kKeep), call.type()) == std::end(kKeep) || !call.has(0))
    return false;
  const ValueInfo& from = call.in(0);
  const bool zero = (from.reals && from.reals->size() == 1 && from.reals->front() == 0) ||
                    (from.integers && from.integers->size() == 1 && from.integers->front() == Dim{0});
  return from.all_zeros || (from.scalar() && zero);
}

std::optional<Dim> range_length(const NodeCall& call) {
  if (counts_samples(call)) return call.in(1).integers->front();
  double bounds[3];
  for (std::size_t i = 0; i < 3; ++i) {
    if (!call.has(i)) return std::nullopt;
    const ValueInfo& bound = call.in(i);
    if (bound.reals && bound.reals->size() == 1) {
      bounds[i] = bound.reals->front();
    } else if (bound.integers && bound.integers->size() == 1 && !bound.integers->front().batched) {
      bounds[i] = static_cast<double>(bound.integers->front().size);
    } else {
      return std::nullopt;
    }
  }
  const double length = std::ceil((bounds[1] - bounds[0]) / bounds[2]);
  if (!(std::abs(length) < 1e15)) return std::nullopt;
  return Dim{static_cast<std::int64_t>(std::max(length, 0.0))};
}

std::optional<std::vector<double>> evaluate_reals(const NodeCall& call) {
  const std::string& type = call.type();
  const auto reals_of = [&](std::size_t i) -> std::optional<std::vector<double>> {
    if (!call.has(i)) return std::nullopt;
    if (call.in(i).reals) return call.in(i).reals;
    if (!cast_to(call) || !call.in(i).integers) return std::nullopt;
    std::vector<double> reals;
    for (const Dim& dim : *call.in(i).integers) {
      if (dim.batched) return std::nullopt;
      reals.push_back(static_cast<double>(dim.size));
    }
    return reals;
  };
  auto first = reals_of(0);
  if (!first || first->size() > kMaxShapeElements) return std::nullopt;
  if (const auto to = cast_to(call)) return is_floating(*to) ? first : std::nullopt;
  if (type == "Identity" || type == "Squeeze" || type == "Unsqueeze" || type == "Reshape") return first;
  if (type == "Floor" || type == "Ceil" || type == "Round") {
    for (double& real : *first) {
      real = type == "Floor" ? std::floor(real) : type == "Ceil" ? std::ceil(real) : std::nearbyint(real);
    }
    return first;
  }
  if (type == "Concat") {
    for (std::size_t i = 1; i < call.size(); ++i) {
      const auto next = reals_of(i);
      if (!next || first->size() + next->size() > kMaxShapeElements) return std::nullopt;
      first->insert(first->end(), next->begin(), next->end());
    }
    return first;
  }
  const auto second = reals_of(1);
  const bool arithmetic = type == "Add" || type == "Sub" || type == "Mul" || type == "Div";
  if (!arithmetic || !second || second->empty() || first->empty() || call.size() != 2 || !are_lists(call)) {
    return std::nullopt;
  }
  if (first->size() != second->size() && first->size() != 1 && second->size() != 1) return std::nullopt;
  std::vector<double> result;
  for (std::size_t i = 0; i < std::max(first->size(), second->size()); ++i) {
    const double a = (*first)[first->size() == 1 ? 0 : i];
    const double b = (*second)[second->size() == 1 ? 0 : i];
    result.push_back(type == "Add" ? a + b : type == "Sub" ? a - b : type == "Mul" ? a * b : a / b);
  }
  return result;
}

}  // namespace ergon::graph::onnx
