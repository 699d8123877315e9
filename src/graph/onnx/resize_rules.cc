// Resize, Upsample, DepthToSpace, SpaceToDepth and GridSample.

#include <algorithm>
#include <cmath>

#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

// Resize to explicit sizes, with ONNX's keep_aspect_ratio_policy.
Result<Shape> resized(const NodeCall& call, const Shape& input, const std::vector<Dim>& sizes,
                      const std::vector<std::size_t>& axes) {
  Shape result = input;
  const std::string policy = call.text("keep_aspect_ratio_policy", "stretch");
  double scale = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Dim from = input[axes[i]];
    if (from.batched) continue;  // the batch is not resized
    if (policy == "stretch" || sizes[i].batched) {
      result[axes[i]] = sizes[i];
      continue;
    }
    const double wanted = static_cast<double>(sizes[i].size) / static_cast<double>(from.size);
    const bool smaller = policy == "not_larger";
    if (scale == 0 || (smaller ? wanted < scale : wanted > scale)) scale = wanted;
  }
  if (policy == "stretch") return result;
  for (const std::size_t axis : axes) {
    if (input[axis].batched) continue;
    const double size = std::round(static_cast<double>(input[axis].size) * scale);
    if (!(size >= 1) || size > 1e15)
      return fail(Errc::invalid_input, "{} cannot be scaled by {}", to_text(input), scale);
    result[axis].size = static_cast<std::int64_t>(size);
  }
  return result;
}

Result<Shape> scaled(const Shape& input, const std::vector<double>& scales,
                     const std::vector<std::size_t>& axes) {
  Shape result = input;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto scale = static_cast<float>(scales[i]);
    if (!(scale > 0)) return fail(Errc::invalid_input, "invalid scale {} for {}", scales[i], to_text(input));
    if (scale == 1.0F) continue;
    // Scales are fp32, and the standard rounds the product down in that precision.
    const float size = std::floor(static_cast<float>(input[axes[i]].size) * scale);
    if (input[axes[i]].batched || !(size >= 1) || size > 1e15F) {
      return fail(Errc::invalid_input, "axis {} of {} cannot be scaled by {}", axes[i], to_text(input),
                  scales[i]);
    }
    result[axes[i]].size = static_cast<std::int64_t>(size);
  }
  return result;
}

Result<Lowered> resize(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const bool old = call.type() == "Upsample" || call.opset() < 11;
  std::optional<std::vector<double>> scales;
  if (call.type() == "Upsample" && call.attribute("scales") != nullptr) scales = call.reals("scales");
  const std::size_t at = old ? 1 : 2;
  if (!scales && call.has(at) && call.in(at).reals && !call.in(at).reals->empty()) scales = call.in(at).reals;
  const bool has_sizes = !old && call.has(3) && !(call.in(3).integers && call.in(3).integers->empty());
  if (scales && has_sizes) return fail(Errc::invalid_input, "both scales and sizes are given");
  if (!scales && !has_sizes) return fail(Errc::unsupported, "the scales are not in the file");

  std::vector<std::size_t> axes;
  const auto named = call.integers("axes");
  const std::size_t count = named ? named->size() : input->rank();
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = input->axis(named ? (*named)[i] : static_cast<std::int64_t>(i));
    if (!axis) return fail(Errc::invalid_input, "axis {} does not exist in {}", (*named)[i], to_text(*input));
    axes.push_back(*axis);
  }
  std::vector<Dim> sizes;
  if (has_sizes) {
    auto given = call.contents(3, "list of sizes");
    if (!given) return given.error();
    sizes = std::move(*given);
  }
  const std::size_t numbers = scales ? scales->size() : sizes.size();
  if (numbers != axes.size()) {
    return fail(Errc::invalid_input, "{} {} for {} axes", numbers, scales ? "scales" : "sizes", axes.size());
  }
  const auto result = scales ? scaled(*input, *scales, axes) : resized(call, *input, sizes, axes);
  if (!result) return result.error();
  return Lowered{Resize{*result}, {0}, {}, {}};
}

Result<Lowered> depth_to_space(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const std::int64_t block = call.integer("blocksize", 0);
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  if (input->rank() != 4 || block < 1 || block > kMost) {
    return fail(Errc::invalid_input, "{} of {} with block size {} is not possible", call.type(),
                to_text(*input), block);
  }
  const bool spreads = call.type() == "DepthToSpace";
  const std::int64_t area = block * block;
  Shape result = *input;
  const auto divides = [](std::int64_t a, std::int64_t b) { return a % b == 0; };
  const bool fits = spreads ? divides(result[1].size, area)
                            : divides(result[2].size, block) && divides(result[3].size, block);
  if (!fits) return fail(Errc::invalid_input, "{} is not divisible by {}", to_text(*input), block);
  const std::int64_t most = spreads ? std::max(result[2].size, result[3].size) : result[1].size;
  if ((Count(most) * area).overflowed())
    return fail(Errc::invalid_input, "the result of {} exceeds 64 bits", to_text(*input));
  const auto grow = [](Dim& dim, std::int64_t by) { dim.size *= by; };
  if (spreads) {
    result[1].size /= area;
    grow(result[2], block);
    grow(result[3], block);
  } else {
    grow(result[1], area);
    result[2].size /= block;
    result[3].size /= block;
  }
  return Lowered{Resize{result.as_image()}, {0}, {}, {}};
}

Result<Lowered> grid_sample(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto grid = call.shape(1);
  if (!grid) return grid.error();
  if (input->rank() != grid->rank() || input->rank() < 3) {
    return fail(Errc::invalid_input, "a grid of {} does not match {}", to_text(*grid), to_text(*input));
  }
  Shape result = *input;
  for (std::size_t i = 2; i < result.rank(); ++i) result[i] = (*grid)[i - 1];
  return Lowered{Resize{result}, {0, 1}, {}, {}};
}

}  // namespace

std::vector<NamedRule> resize_rules() {
  return {
      {"Resize", resize},
      {"Upsample", resize},
      {"DepthToSpace", depth_to_space},
      {"SpaceToDepth", depth_to_space},
      {"GridSample", grid_sample},
  };
}

}  // namespace ergon::graph::onnx
