// normalizations and reductions.

#include "graph/cost.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

// Scale, bias, mean and variance must have one element per channel.
Result<> check_channels(const NodeCall& call, const Shape& input, std::size_t first, std::size_t last) {
  if (input.rank() < 2 || input[1].batched)
    return fail(Errc::invalid_input, "{} has no channel axis", to_text(input));
  for (std::size_t i = first; i <= last; ++i) {
    const auto shape = call.shape(i);
    if (!shape) return shape.error();
    if (shape->batched() || shape->elements(1).value().value_or(-1) != input[1].size) {
      return fail(Errc::invalid_input, "input {} has shape {}, but {} has {} channels", i, to_text(*shape),
                  to_text(input), input[1].size);
    }
  }
  return {};
}

Result<Lowered> batch_norm(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  if (const auto fits = check_channels(call, *input, 1, 4); !fits) return fits.error();
  return Lowered{
      BatchNorm{},
      {0},
      {{1, WeightRole::scale}, {2, WeightRole::bias}, {3, WeightRole::statistic}, {4, WeightRole::statistic}},
      {}};
}

Result<Lowered> instance_norm(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  if (const auto fits = check_channels(call, *input, 1, 2); !fits) return fits.error();
  return Lowered{GroupNorm{0}, {0}, {{1, WeightRole::scale}, {2, WeightRole::bias}}, {}};
}

Result<Lowered> group_norm(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const std::int64_t groups = call.integer("num_groups", 0);
  if (groups < 1) return fail(Errc::invalid_input, "num_groups is missing or less than 1");
  // Scale and bias are per group in opset 18, per channel in opset 21.
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    const auto scale = call.shape(i);
    if (!scale) return scale.error();
    const std::int64_t numbers = scale->batched() ? -1 : scale->elements(1).value().value_or(-1);
    if (input->rank() < 2 || (numbers != groups && numbers != (*input)[1].size)) {
      return fail(Errc::invalid_input,
                  "input {} of shape {} matches neither {} groups nor the channels of {}", i, to_text(*scale),
                  groups, to_text(*input));
    }
  }
  return Lowered{GroupNorm{groups}, {0}, {{1, WeightRole::scale}, {2, WeightRole::bias}}, {}};
}

Result<Lowered> layer_norm(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto axis = input->axis(call.integer("axis", -1));
  if (!axis)
    return fail(Errc::invalid_input, "axis {} does not exist in {}", call.integer("axis", -1),
                to_text(*input));
  const Shape normed = Shape::of(input->dims().subspan(*axis));
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    if (!call.has(i)) continue;
    const auto scale = call.shape(i);
    if (!scale) return scale.error();
    const auto together = broadcast(normed, *scale);
    if (!together || *together != normed) {
      return fail(Errc::invalid_input, "input {} of shape {} does not match {}", i, to_text(*scale),
                  to_text(normed));
    }
  }
  LayerNorm op{input->rank() - *axis, call.has(1), call.has(2)};
  Lowered lowered{op, {0}, {}, {}};
  if (call.has(1)) lowered.weights.push_back({1, WeightRole::scale});
  if (call.has(2)) lowered.weights.push_back({2, WeightRole::bias});
  return lowered;
}

Result<Lowered> plain_norm(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  if (input->rank() == 0) return fail(Errc::invalid_input, "the input is a scalar");
  return Lowered{LayerNorm{1, false, false}, {0}, {}, {}};
}

Result<Lowered> response_norm(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const std::int64_t size = call.integer("size", 0);
  if (size < 1 || size > kMaxExtent) return fail(Errc::invalid_input, "invalid size {}", size);
  return Lowered{LocalResponseNorm{size}, {0}, {}, {}};
}

template <ReduceKind Kind>
Result<Lowered> reduce(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  const auto axes = call.attribute_or_input("axes", 1);
  if (!axes) return axes.error();
  if ((!*axes || (*axes)->empty()) && call.integer("noop_with_empty_axes", 0) != 0) {
    return Lowered{Identity{}, {0}, {}, {}};
  }
  return Lowered{Reduce{Kind, axes->value_or(std::vector<std::int64_t>()), call.integer("keepdims", 1) != 0},
                 {0},
                 {},
                 {}};
}

Result<Lowered> arg_reduce(const NodeCall& call) {
  const auto input = call.shape(0);
  if (!input) return input.error();
  return Lowered{Reduce{ReduceKind::arg, {call.integer("axis", 0)}, call.integer("keepdims", 1) != 0},
                 {0},
                 {},
                 {ElementType::int64}};
}

}  // namespace

std::vector<NamedRule> norm_rules() {
  return {
      {"BatchNormalization", batch_norm},
      {"InstanceNormalization", instance_norm},
      {"GroupNormalization", group_norm},
      {"LayerNormalization", layer_norm},
      {"MeanVarianceNormalization", plain_norm},
      {"LpNormalization", plain_norm},
      {"LRN", response_norm},
      {"ReduceMean", reduce<ReduceKind::mean>},
      {"ReduceSum", reduce<ReduceKind::sum>},
      {"ReduceMax", reduce<ReduceKind::max>},
      {"ReduceMin", reduce<ReduceKind::min>},
      {"ReduceProd", reduce<ReduceKind::product>},
      {"ReduceL1", reduce<ReduceKind::norm>},
      {"ReduceL2", reduce<ReduceKind::norm>},
      {"ReduceLogSum", reduce<ReduceKind::log_sum>},
      {"ReduceLogSumExp", reduce<ReduceKind::log_sum>},
      {"ReduceSumSquare", reduce<ReduceKind::square_sum>},
      {"ArgMax", arg_reduce},
      {"ArgMin", arg_reduce},
  };
}

}  // namespace ergon::graph::onnx
