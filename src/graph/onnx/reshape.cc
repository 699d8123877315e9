// Reshapes with a symbolic batch.
//
// Target extents of -1 and 0 preserve the batch. A file with a fixed batch has its number in the target
// instead. If such a file is imported with a symbolic batch, the target axis that holds the batch must be
// found: it is the axis with the same number of elements before it as the batch axis has in the input.

#include <algorithm>

#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

Count product_of(std::span<const Dim> dims, std::int64_t batch) {
  Count product = 1;
  for (const Dim& dim : dims) product *= dim.at(batch);
  return product;
}

Error does_not_fit(const Shape& input, std::span<const Dim> target) {
  std::string requested;
  for (const Dim& dim : target) {
    requested += (requested.empty() ? "" : ", ") + std::to_string(dim.size) + (dim.batched ? "*batch" : "");
  }
  return fail(Errc::invalid_input, "{} cannot be reshaped to ({})", to_text(input), requested);
}

// Replaces the extent of -1 by the remaining elements.
Result<std::vector<Dim>> filled(const Shape& input, std::vector<Dim> target) {
  const auto open = std::find(target.begin(), target.end(), Dim{-1, false});
  if (open == target.end()) return target;
  *open = {1, false};
  if (std::find(target.begin(), target.end(), Dim{-1, false}) != target.end())
    return does_not_fit(input, target);
  // Comparing batches 1 and 2 shows whether the remainder contains the batch.
  const auto left_over = [&](std::int64_t batch) -> std::optional<std::int64_t> {
    const Count all = product_of(input.dims(), batch);
    const Count used = product_of(target, batch);
    if (all.overflowed() || used.overflowed() || used.exact() < 1 || all.exact() % used.exact() != 0)
      return std::nullopt;
    return all.exact() / used.exact();
  };
  const auto one = left_over(1);
  const auto two = left_over(2);
  const auto three = left_over(3);
  if (one && two && three && *two == *one && *three == *one) {
    *open = {*one, false};
  } else if (one && two && three && *two == 2 * *one && *three == 3 * *one) {
    *open = {*one, true};
  } else {
    return does_not_fit(input, target);
  }
  return target;
}

// Makes the batch symbolic in a target that was written for the assumed batch.
Result<std::vector<Dim>> reopened(const Shape& input, std::vector<Dim> target, std::int64_t assumed) {
  std::vector<Dim> numbers;
  for (const Dim& dim : input.dims()) {
    if (dim.at(assumed).overflowed()) return does_not_fit(input, target);
    numbers.push_back({dim.at(assumed).exact(), false});
  }
  if (product_of(numbers, 1).overflowed()) return does_not_fit(input, target);
  auto fixed = filled(Shape::of(numbers), std::move(target));
  if (!fixed) return fixed;
  const auto batched =
      std::find_if(input.dims().begin(), input.dims().end(), [](const Dim& dim) { return dim.batched; });
  // Elements before the batch axis, without and with the other factor of that axis.
  const Count outside = product_of({input.dims().begin(), batched}, assumed);
  const Count inside = outside * batched->size;
  if (inside.overflowed()) return does_not_fit(input, *fixed);
  std::vector<std::int64_t> before;  // elements before each target axis
  Count front = 1;
  for (const Dim& dim : *fixed) {
    if (front.overflowed()) return does_not_fit(input, *fixed);
    before.push_back(front.exact());
    front *= dim.size;
  }
  const auto take = [&](std::size_t axis) {
    (*fixed)[axis] = {(*fixed)[axis].size / assumed, true};
    return fixed;
  };
  // Preference: a separate axis at that position; else the axis that starts there; else one that merges the
  // axes before it.
  for (const Count& position : {outside, inside}) {
    for (std::size_t i = 0; i < fixed->size(); ++i) {
      if (before[i] == position.exact() && (*fixed)[i].size == assumed) return take(i);
    }
  }
  for (std::size_t i = 0; i < fixed->size(); ++i) {
    if (before[i] == outside.exact() && (*fixed)[i].size % assumed == 0 && (*fixed)[i].size > 0)
      return take(i);
  }
  for (std::size_t i = 0; i < fixed->size(); ++i) {
    if (before[i] < 1 || outside.exact() % before[i] != 0) continue;
    const Count factor = Count(outside.exact() / before[i]) * assumed;
    if (!factor.overflowed() && (*fixed)[i].size % factor.exact() == 0) return take(i);
  }
  return does_not_fit(input, *fixed);
}

Result<Lowered> to_shape(const Shape& input, const std::vector<Dim>& target) {
  if (target.size() > Shape::kMaxRank)
    return fail(Errc::unsupported, "{} axes are not supported", target.size());
  Shape result = Shape::of(target);
  // An image with unchanged channels stays an image.
  const bool is_image = input.is_image() && result.rank() == input.rank() && result[1] == input[1];
  result.set_image(is_image);
  return Lowered{Reshape{result}, {0}, {}, {}};
}

Result<Lowered> reshape(const NodeCall& call, const Shape& input, const ReshapeOptions& reading) {
  auto target = call.contents(1, "shape");
  if (!target) return target.error();
  const bool zero_is_zero = call.integer("allowzero", 0) != 0;
  for (std::size_t i = 0; i < target->size(); ++i) {
    if ((*target)[i] != Dim{0, false} || zero_is_zero) continue;
    if (i >= input.rank()) return does_not_fit(input, *target);
    (*target)[i] = input[i];
  }
  const auto is_batched = [](const Dim& dim) { return dim.batched; };
  const bool says_batch = std::any_of(target->begin(), target->end(), is_batched);
  if (reading.assumed_batch && input.batched() && !says_batch) {
    auto opened = reopened(input, std::move(*target), *reading.assumed_batch);
    if (!opened) return opened.error();
    return to_shape(input, *opened);
  }
  auto resolved = filled(input, std::move(*target));
  if (!resolved) return resolved.error();
  return to_shape(input, *resolved);
}

// Product of extents, of which at most one may contain the batch.
Result<Dim> merged(std::span<const Dim> dims, const Shape& input) {
  Count size = 1;
  bool batched = false;
  for (const Dim& dim : dims) {
    if (dim.batched && batched) return fail(Errc::unsupported, "{} contains the batch twice", to_text(input));
    batched = batched || dim.batched;
    size *= dim.size;
  }
  const auto value = size.value();
  if (!value) return value.error();
  return Dim{*value, batched};
}

Result<Lowered> flatten(const NodeCall& call, const Shape& input) {
  const std::int64_t axis = call.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(input.rank());
  if (axis < -rank || axis > rank)
    return fail(Errc::invalid_input, "axis {} does not exist in {}", axis, to_text(input));
  const auto cut = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  const auto front = merged(input.dims().first(cut), input);
  if (!front) return front.error();
  const auto back = merged(input.dims().subspan(cut), input);
  if (!back) return back.error();
  return Lowered{Reshape{Shape{*front, *back}}, {0}, {}, {}};
}

Result<std::vector<bool>> chosen_axes(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<bool> chosen(rank, false);
  for (const std::int64_t requested : axes) {
    const std::int64_t axis = requested < 0 ? requested + static_cast<std::int64_t>(rank) : requested;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || chosen[static_cast<std::size_t>(axis)]) {
      return fail(Errc::invalid_input, "axis {} is out of range or repeated", requested);
    }
    chosen[static_cast<std::size_t>(axis)] = true;
  }
  return chosen;
}

Result<Lowered> squeeze(const NodeCall& call, const Shape& input) {
  const auto axes = call.attribute_or_input("axes", 1);
  if (!axes) return axes.error();
  auto chosen = chosen_axes(axes->value_or(std::vector<std::int64_t>()), input.rank());
  if (!chosen) return chosen.error();
  Shape result;
  for (std::size_t i = 0; i < input.rank(); ++i) {
    const bool gone = *axes ? (*chosen)[i] : input[i].is_one();
    if (gone && !input[i].is_one())
      return fail(Errc::invalid_input, "axis {} of {} is not 1", i, to_text(input));
    if (!gone) result.push_back(input[i]);
  }
  return Lowered{Reshape{result}, {0}, {}, {}};
}

Result<Lowered> unsqueeze(const NodeCall& call, const Shape& input) {
  const auto axes = call.attribute_or_input("axes", 1);
  if (!axes) return axes.error();
  if (!*axes) return fail(Errc::invalid_input, "axes are missing");
  const std::size_t rank = input.rank() + (*axes)->size();
  if (rank > Shape::kMaxRank) return fail(Errc::unsupported, "{} axes are not supported", rank);
  const auto chosen = chosen_axes(**axes, rank);
  if (!chosen) return chosen.error();
  Shape result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) result.push_back((*chosen)[i] ? Dim{1} : input[next++]);
  return Lowered{Reshape{result}, {0}, {}, {}};
}

}  // namespace

Result<Lowered> lower_reshape(const NodeCall& call, const ReshapeOptions& reading) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  if (call.type() == "Flatten") return flatten(call, *input);
  if (call.type() == "Squeeze") return squeeze(call, *input);
  if (call.type() == "Unsqueeze") return unsqueeze(call, *input);
  return reshape(call, *input, reading);
}

}  // namespace ergon::graph::onnx
