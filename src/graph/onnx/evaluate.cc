// Arithmetic on shapes.
//
// Exporters compute target shapes inside the graph: take the shape of a tensor, pick an extent, multiply,
// join. Such values never depend on data, so they can be computed here, with the batch left as a symbol:
// every number is n or n * batch. What would need more than that (batch * batch, batch + 1) stays unknown.

#include <algorithm>
#include <functional>

#include "graph/onnx/element_types.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

using Numbers = std::optional<std::vector<Dim>>;
using OneNumber = std::optional<Dim>;

constexpr std::size_t kMost = 4096;  // longer tensors are not shapes

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

OneNumber remainder(const Dim& a, const Dim& b) {
  if (a.batched || b.batched || b.size == 0 || b.size == -1) return std::nullopt;
  return Dim{a.size % b.size, false};
}

OneNumber equal(const Dim& a, const Dim& b) {
  if (a == b) return Dim{1, false};
  // A multiple of the batch is never 0 or negative.
  if (a.batched != b.batched && (a.batched ? b : a).size > 0) return std::nullopt;
  return Dim{0, false};
}

OneNumber least(const Dim& a, const Dim& b) {
  if (a.batched != b.batched) return std::nullopt;
  return a.size < b.size ? a : b;
}

OneNumber greatest(const Dim& a, const Dim& b) {
  if (a.batched != b.batched) return std::nullopt;
  return a.size < b.size ? b : a;
}

// Element by element; one number meets all.
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

const std::vector<Dim>* numbers_of(const Call& call, std::size_t i) {
  return call.has(i) && call.in(i).integers ? &*call.in(i).integers : nullptr;
}

Numbers shape_of(const Call& call) {
  if (!call.has(0) || !call.in(0).shape) return std::nullopt;
  const Shape& shape = *call.in(0).shape;
  const auto rank = static_cast<std::int64_t>(shape.rank());
  const auto place = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + rank : i, 0, rank); };
  const std::int64_t start = place(call.integer("start", 0));
  const std::int64_t end = place(call.integer("end", rank));
  std::vector<Dim> result;
  for (std::int64_t i = start; i < end; ++i) result.push_back(shape[static_cast<std::size_t>(i)]);
  return result;
}

Numbers size_of(const Call& call) {
  if (!call.has(0) || !call.in(0).shape) return std::nullopt;
  OneNumber all = Dim{1, false};
  for (const Dim& dim : call.in(0).shape->dims()) {
    if (all) all = product(*all, dim);
  }
  if (!all) return std::nullopt;
  return std::vector<Dim>{*all};
}

Numbers joined(const Call& call) {
  std::vector<Dim> result;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const auto* part = numbers_of(call, i);
    if (part == nullptr || result.size() + part->size() > kMost) return std::nullopt;
    result.insert(result.end(), part->begin(), part->end());
  }
  return result;
}

Numbers gathered(const Call& call) {
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

Numbers cut(const Call& call) {
  const auto* data = numbers_of(call, 0);
  if (data == nullptr || !call.in(0).shape || call.in(0).shape->rank() != 1) return std::nullopt;
  const auto one = [&](const char* name, std::size_t i,
                       std::int64_t otherwise) -> std::optional<std::int64_t> {
    const auto given = call.attribute_or_input(name, i);
    if (!given) return std::nullopt;
    if (!*given) return otherwise;
    return (*given)->size() == 1 ? std::optional((*given)->front()) : std::nullopt;
  };
  const auto start = one("starts", 1, 0);
  const auto end = one("ends", 2, 0);
  const auto step = one("steps", 4, 1);
  if (!start || !end || step != 1) return std::nullopt;
  const auto size = static_cast<std::int64_t>(data->size());
  const auto place = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
  const std::int64_t first = place(*start);
  const std::int64_t last = std::max(place(*end), first);
  return std::vector<Dim>(data->begin() + first, data->begin() + last);
}

Numbers filled(const Call& call) {
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
    return std::nullopt;  // zeros of floating type
  }
  if (size.overflowed() || size.exact() < 0 || size.exact() > static_cast<std::int64_t>(kMost))
    return std::nullopt;
  return std::vector<Dim>(static_cast<std::size_t>(size.exact()), Dim{value, false});
}

Numbers range(const Call& call) {
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
    if (result.size() == kMost) return std::nullopt;
    result.push_back({i.exact(), false});
  }
  return result;
}

Numbers picked(const Call& call) {
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

Numbers multiplied(const Call& call) {
  const auto* data = numbers_of(call, 0);
  if (data == nullptr) return std::nullopt;
  OneNumber all = Dim{1, false};
  for (const Dim& dim : *data) {
    if (all) all = product(*all, dim);
  }
  if (!all) return std::nullopt;
  return std::vector<Dim>{*all};
}

Numbers unchanged(const Call& call) {
  const auto* data = numbers_of(call, 0);
  return data == nullptr ? Numbers() : Numbers(*data);
}

}  // namespace

std::optional<std::vector<Dim>> evaluate(const Call& call) {
  const std::string& type = call.type();
  if (type == "Shape") return shape_of(call);
  if (type == "Size") return size_of(call);
  if (type == "Concat") return joined(call);
  if (type == "Gather") return gathered(call);
  if (type == "Slice") return cut(call);
  if (type == "ConstantOfShape") return filled(call);
  if (type == "Range") return range(call);
  if (type == "Where") return picked(call);
  if (type == "ReduceProd") return multiplied(call);
  if (type == "Cast" || type == "Identity" || type == "Squeeze" || type == "Unsqueeze" || type == "Reshape" ||
      type == "Flatten") {
    return unchanged(call);
  }
  using Apply = OneNumber (*)(const Dim&, const Dim&);
  static constexpr std::pair<std::string_view, Apply> kPairs[] = {
      {"Add", sum},       {"Sub", difference}, {"Mul", product}, {"Div", quotient},
      {"Mod", remainder}, {"Equal", equal},    {"Min", least},   {"Max", greatest}};
  for (const auto& [name, apply] : kPairs) {
    if (type != name) continue;
    const auto* a = numbers_of(call, 0);
    const auto* b = numbers_of(call, 1);
    return a == nullptr || b == nullptr ? Numbers() : each(*a, *b, apply);
  }
  return std::nullopt;
}

}  // namespace ergon::graph::onnx
