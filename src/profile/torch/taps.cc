// The rules of ONNX Resize, as in its reference implementation. The transformation maps an output index to an
// input coordinate; the mode weights the elements around that coordinate. With antialiasing, the weights are
// stretched by the scale when the image shrinks.

#include "profile/torch/taps.h"

#include <ATen/ops/tensor.h>
#include <algorithm>
#include <cmath>

#include "profile/torch/stored_tensor.h"

namespace ergon::profile::torch {
namespace {

struct Axis {
  std::int64_t axis = 0;
  std::int64_t from = 1;
  std::int64_t to = 1;
  double scale = 1;
};

bool is_old(const NodeView& view) {
  return function_of(view) == "Upsample" || integer_of(view, "opset", 13) < 11;
}

// The scales of the file by axis, if it has scales.
std::optional<std::vector<double>> scales_of(const NodeView& view) {
  const auto rank = static_cast<std::size_t>(rank_of(view));
  const auto* stored = constant_of(view, is_old(view) ? 1 : 2);
  if (stored == nullptr || stored->bytes.empty()) return std::nullopt;
  const auto given = numbers_in(*stored);
  const Sizes* axes = list_of(view, "axes");
  if (axes == nullptr) return given.size() == rank ? std::optional(given) : std::nullopt;
  if (axes->size() != given.size()) return std::nullopt;
  std::vector<double> scales(rank, 1);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + static_cast<std::int64_t>(rank) : (*axes)[i];
    scales[static_cast<std::size_t>(axis)] = given[i];
  }
  return scales;
}

Result<double> coordinate(const NodeView& view, const Axis& axis, std::int64_t index) {
  const std::string_view rule = resize_transformation(view);
  const auto x = static_cast<double>(index);
  const auto from = static_cast<double>(axis.from);
  const auto to = static_cast<double>(axis.to);
  if (rule == "asymmetric") return x / axis.scale;
  if (rule == "half_pixel") return (x + 0.5) / axis.scale - 0.5;
  if (rule == "pytorch_half_pixel") return axis.to == 1 ? 0.0 : (x + 0.5) / axis.scale - 0.5;
  if (rule == "align_corners") return axis.to == 1 ? 0.0 : x * (from - 1) / (to - 1);
  if (rule == "tf_half_pixel_for_nn") return (x + 0.5) / axis.scale;
  if (rule == "half_pixel_symmetric") {
    const double adjustment = to / (axis.scale * from);
    const double offset = from / 2 * (1 - adjustment);
    return offset + (x + 0.5) / axis.scale - 0.5;
  }
  return unsupported(view, fmt::format("transformation {} is not supported", rule));
}

std::int64_t nearest(double at, std::string_view rule) {
  double rounded = std::ceil(at - 0.5);  // round_prefer_floor
  if (rule == "floor") rounded = std::floor(at);
  if (rule == "ceil") rounded = std::ceil(at);
  if (rule == "round_prefer_ceil") rounded = std::floor(at + 0.5);
  return static_cast<std::int64_t>(rounded);
}

double cubic(double distance, double a) {
  const double d = std::abs(distance);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  if (d < 2) return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return 0;
}

// The elements around a coordinate and their weights, before the treatment of edges.
struct Sum {
  std::int64_t first = 0;
  std::vector<double> weights;
};

Sum around(const NodeView& view, const Axis& axis, double at, bool is_cubic) {
  const double a = number_of(view, "cubic_coeff_a", -0.75);
  const bool smooths = integer_of(view, "antialias", 0) != 0 && axis.scale < 1;
  const double stretch = smooths ? axis.scale : 1;
  const double reach = (is_cubic ? 2 : 1) / stretch;
  Sum sum;
  const auto taps = smooths ? static_cast<std::int64_t>(2 * std::ceil(reach)) : (is_cubic ? 4 : 2);
  sum.first = static_cast<std::int64_t>(std::floor(at)) - taps / 2 + 1;
  double total = 0;
  for (std::int64_t i = 0; i < taps; ++i) {
    const double distance = (static_cast<double>(sum.first + i) - at) * stretch;
    const double weight = is_cubic ? cubic(distance, a) : std::max(0.0, 1 - std::abs(distance));
    const std::int64_t index = sum.first + i;
    const bool outside = index < 0 || index >= axis.from;
    const bool counts = !outside || integer_of(view, "exclude_outside", 0) == 0;
    sum.weights.push_back(counts ? weight : 0);
    total += sum.weights.back();
  }
  for (double& weight : sum.weights) weight /= total;
  return sum;
}

Result<AxisTaps> taps_along(const NodeView& view, const Axis& axis) {
  const std::string_view mode = resize_mode(view);
  const bool is_nearest = mode == "nearest";
  const bool is_cubic = mode == "cubic";
  if (!is_nearest && !is_cubic && mode != "linear" && mode != "bilinear" && mode != "trilinear") {
    return unsupported(view, fmt::format("mode {} is not supported", mode));
  }
  const std::string_view rounding =
      is_old(view) ? std::string_view("floor") : word_of(view, "nearest_mode", "round_prefer_floor");
  std::vector<Sizes> rows;
  std::vector<std::vector<float>> weights;
  for (std::int64_t index = 0; index < axis.to; ++index) {
    const auto at = coordinate(view, axis, index);
    if (!at) return at.error();
    Sum sum{0, {1}};
    if (is_nearest) {
      sum.first = nearest(*at, rounding);
    } else {
      sum = around(view, axis, *at, is_cubic);
    }
    rows.resize(sum.weights.size());
    weights.resize(sum.weights.size());
    for (std::size_t i = 0; i < sum.weights.size(); ++i) {
      const std::int64_t row = sum.first + static_cast<std::int64_t>(i);
      rows[i].push_back(std::clamp<std::int64_t>(row, 0, axis.from - 1));
      weights[i].push_back(static_cast<float>(sum.weights[i]));
    }
  }
  Sizes shape(static_cast<std::size_t>(rank_of(view)), 1);
  shape[static_cast<std::size_t>(axis.axis)] = axis.to;
  AxisTaps taps{axis.axis, is_nearest, {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    taps.taps.push_back({Constant(at::tensor(rows[i], at::kLong)),
                         Constant(at::tensor(weights[i], at::kFloat).reshape(shape))});
  }
  return taps;
}

}  // namespace

std::string_view resize_mode(const NodeView& view) { return word_of(view, "mode", "nearest"); }

std::string_view resize_transformation(const NodeView& view) {
  if (is_old(view)) return "asymmetric";
  return word_of(view, "coordinate_transformation_mode", "half_pixel");
}

bool follows_sizes(const NodeView& view) {
  const auto scales = scales_of(view);
  if (!scales) return word_of(view, "keep_aspect_ratio_policy", "stretch") == "stretch";
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double quotient = static_cast<double>(to[i]) / static_cast<double>(from[i]);
    if (std::abs((*scales)[i] - quotient) > 1e-6 * quotient) return false;
  }
  return true;
}

Result<std::vector<AxisTaps>> taps_of(const NodeView& view) {
  const Sizes from = input_sizes(view);
  const Sizes to = output_sizes(view);
  if (from.size() != to.size()) return unsupported(view, "a change of rank is not supported");
  const auto scales = scales_of(view);
  if (!scales && word_of(view, "keep_aspect_ratio_policy", "stretch") != "stretch") {
    return unsupported(view, "keep_aspect_ratio_policy is not supported");
  }
  std::vector<AxisTaps> all;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const bool changes = from[i] != to[i] || (scales && (*scales)[i] != 1);
    if (!changes) continue;
    const double quotient = static_cast<double>(to[i]) / static_cast<double>(from[i]);
    const double scale = scales ? (*scales)[i] : quotient;
    auto taps = taps_along(view, {static_cast<std::int64_t>(i), from[i], to[i], scale});
    if (!taps) return taps.error();
    all.push_back(std::move(*taps));
  }
  return all;
}

}  // namespace ergon::profile::torch
