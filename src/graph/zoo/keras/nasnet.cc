#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {
namespace {

// Inputs of a cell: the outputs of the previous cell and of the one before.
struct CellInputs {
  Tensor current;
  std::optional<Tensor> previous;
};

Tensor separable_block(Layers& k, Tensor x, std::int64_t filters, std::int64_t kernel, std::int64_t stride,
                       const std::string& id) {
  x = k.activation(x);
  if (stride > 1) x = k.pad_for_stride(x, kernel, "separable_conv_1_pad_" + id);
  const Padding padding = stride > 1 ? Padding::valid : Padding::same;
  x = k.separable(x, {filters, {kernel, kernel}, stride, padding, false}, "separable_conv_1_" + id);
  x = k.batch_norm(x, "separable_conv_1_bn_" + id);
  x = k.activation(x);
  x = k.separable(x, {filters, {kernel, kernel}, 1, Padding::same, false}, "separable_conv_2_" + id);
  return k.batch_norm(x, "separable_conv_2_bn_" + id);
}

// Factorized reduction: half of the channels from even pixels, half from odd pixels.
Tensor halve(Layers& k, Tensor x, std::int64_t filters, const std::string& id) {
  x = k.activation(x, Function::relu, "adjust_relu_1_" + id);
  Tensor even = k.average_pool(x, {1, 2}, "adjust_avg_pool_1_" + id);
  even = k.conv(even, {filters / 2, {1, 1}, 1, Padding::same, false}, "adjust_conv_1_" + id);
  Tensor odd = k.zero_pad(x, 0, 1);
  odd = k.crop(odd, 1, 0);
  odd = k.average_pool(odd, {1, 2}, "adjust_avg_pool_2_" + id);
  odd = k.conv(odd, {filters / 2, {1, 1}, 1, Padding::same, false}, "adjust_conv_2_" + id);
  return k.batch_norm(k.concat({even, odd}), "adjust_bn_" + id);
}

// Projects the older input to the size and channels of this cell.
Tensor adjust(Layers& k, const CellInputs& in, std::int64_t filters, const std::string& id) {
  if (!in.previous) return in.current;
  const Tensor previous = *in.previous;
  if (k.height(previous) != k.height(in.current)) return halve(k, previous, filters, id);
  if (k.channels(previous) == filters) return previous;
  Tensor x = k.activation(previous);
  x = k.conv(x, {filters, {1, 1}, 1, Padding::same, false}, "adjust_conv_projection_" + id);
  return k.batch_norm(x, "adjust_bn_" + id);
}

Tensor squeeze(Layers& k, Tensor x, std::int64_t filters, const std::string& kind, const std::string& id) {
  x = k.activation(x);
  x = k.conv(x, {filters, {1, 1}, 1, Padding::same, false}, fmt::format("{}_conv_1_{}", kind, id));
  return k.batch_norm(x, fmt::format("{}_bn_1_{}", kind, id));
}

CellInputs normal_cell(Layers& k, const CellInputs& in, std::int64_t filters, const std::string& id) {
  const Tensor p = adjust(k, in, filters, id);
  const Tensor h = squeeze(k, in.current, filters, "normal", id);
  const auto separable = [&](Tensor x, std::int64_t kernel, const char* branch) {
    return separable_block(k, x, filters, kernel, 1, fmt::format("normal_{}_{}", branch, id));
  };
  const auto pooled = [&](Tensor x, const char* branch) {
    return k.average_pool(x, {3, 1, Padding::same}, fmt::format("normal_{}_{}", branch, id));
  };
  const auto add = [&](Tensor a, Tensor b, int i) {
    return k.add(a, b, fmt::format("normal_add_{}_{}", i, id));
  };
  const Tensor left1 = separable(h, 5, "left1");
  const Tensor sum1 = add(left1, separable(p, 3, "right1"), 1);
  const Tensor left2 = separable(p, 5, "left2");
  const Tensor sum2 = add(left2, separable(p, 3, "right2"), 2);
  const Tensor sum3 = add(pooled(h, "left3"), p, 3);
  const Tensor left4 = pooled(p, "left4");
  const Tensor sum4 = add(left4, pooled(p, "right4"), 4);
  const Tensor sum5 = add(separable(h, 3, "left5"), h, 5);
  return {k.concat({p, sum1, sum2, sum3, sum4, sum5}, "normal_concat_" + id), in.current};
}

CellInputs reduction_cell(Layers& k, const CellInputs& in, std::int64_t filters, const std::string& id) {
  const Tensor p = adjust(k, in, filters, id);
  const Tensor h = squeeze(k, in.current, filters, "reduction", id);
  const Tensor padded = k.pad_for_stride(h, 3, "reduction_pad_1_" + id);
  const auto separable = [&](Tensor x, std::int64_t kernel, std::int64_t stride, const char* branch) {
    return separable_block(k, x, filters, kernel, stride, fmt::format("reduction_{}_{}", branch, id));
  };
  const Tensor left1 = separable(h, 5, 2, "left1");
  const Tensor sum1 = k.add(left1, separable(p, 7, 2, "right1"), "reduction_add_1_" + id);
  const Tensor left2 = k.max_pool(padded, {3, 2}, "reduction_left2_" + id);
  const Tensor sum2 = k.add(left2, separable(p, 7, 2, "right2"), "reduction_add_2_" + id);
  const Tensor left3 = k.average_pool(padded, {3, 2}, "reduction_left3_" + id);
  const Tensor sum3 = k.add(left3, separable(p, 5, 2, "right3"), "reduction_add3_" + id);
  const Tensor sum4 = k.add(sum2, k.average_pool(sum1, {3, 1, Padding::same}, "reduction_left4_" + id));
  const Tensor left5 = separable(sum1, 3, 1, "left4");
  const Tensor sum5 =
      k.add(left5, k.max_pool(padded, {3, 2}, "reduction_right5_" + id), "reduction_add4_" + id);
  return {k.concat({sum2, sum3, sum4, sum5}, "reduction_concat_" + id), in.current};
}

}  // namespace

Result<Network> nasnet(const std::string& name, const NasNetPlan& plan, const InputSize& input) {
  const std::int64_t filters = plan.penultimate_filters / 24;
  Layers k("keras", name);
  Tensor x = k.input(input.size);
  x = k.conv(x, {plan.stem_filters, {3, 3}, 2, Padding::valid, false}, "stem_conv1");
  x = k.batch_norm(x, "stem_bn1");
  CellInputs state = reduction_cell(k, {x, std::nullopt}, filters / 4, "stem_1");
  state = reduction_cell(k, state, filters / 2, "stem_2");
  int id = 0;
  for (int stage = 0; stage < 3; ++stage) {
    const std::int64_t width = filters << stage;
    if (stage > 0) {
      const auto previous = state.previous;
      const int after = plan.blocks * stage;
      state = reduction_cell(k, state, width, fmt::format("reduce_{}", after));
      if (plan.skip_reduction) state.previous = previous;
      id = after + 1;
    }
    for (int i = 0; i < plan.blocks; ++i) state = normal_cell(k, state, width, std::to_string(id++));
  }
  x = k.activation(state.current);
  x = k.global_average_pool(x);
  // Keras lists layers depth first, not in the order of construction.
  const auto network = k.finish(k.classifier(x, 1000));
  if (!network) return network.error();
  return depth_first_order(*network);
}

}  // namespace ergon::graph::zoo::keras
