#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"
#include "graph/zoo/mobilenet_tables.h"

namespace ergon::graph::zoo::keras {
namespace {

// Depthwise, then pointwise: the block of MobileNet v1.
Tensor separable_block(Layers& k, Tensor x, std::int64_t filters, std::int64_t stride, int id) {
  if (stride > 1) x = k.zero_pad(x, 0, 1, fmt::format("conv_pad_{}", id));
  const Padding padding = stride > 1 ? Padding::valid : Padding::same;
  x = k.depthwise(x, {0, {3, 3}, stride, padding, false}, fmt::format("conv_dw_{}", id));
  x = k.batch_norm(x, fmt::format("conv_dw_{}_bn", id));
  x = k.relu6(x, fmt::format("conv_dw_{}_relu", id));
  x = k.conv(x, {filters, {1, 1}, 1, Padding::same, false}, fmt::format("conv_pw_{}", id));
  x = k.batch_norm(x, fmt::format("conv_pw_{}_bn", id));
  return k.relu6(x, fmt::format("conv_pw_{}_relu", id));
}

// Expansion, depthwise convolution, projection: the inverted residual of MobileNet v2.
Tensor inverted_residual(Layers& k, Tensor x, std::int64_t filters, std::int64_t stride,
                         std::int64_t expansion, int id) {
  const std::string name = id == 0 ? "expanded_conv_" : fmt::format("block_{}_", id);
  const std::int64_t channels = k.channels(x);
  Tensor y = x;
  if (id != 0) {
    y = k.conv(y, {expansion * channels, {1, 1}, 1, Padding::same, false}, name + "expand");
    y = k.batch_norm(y, name + "expand_BN");
    y = k.relu6(y, name + "expand_relu");
  }
  if (stride > 1) y = k.pad_for_stride(y, 3, name + "pad");
  y = k.depthwise(y, {0, {3, 3}, stride, stride > 1 ? Padding::valid : Padding::same, false},
                  name + "depthwise");
  y = k.batch_norm(y, name + "depthwise_BN");
  y = k.relu6(y, name + "depthwise_relu");
  y = k.conv(y, {filters, {1, 1}, 1, Padding::same, false}, name + "project");
  y = k.batch_norm(y, name + "project_BN");
  return channels == filters && stride == 1 ? k.add(x, y, name + "add") : y;
}

}  // namespace

Result<Network> mobilenet(const InputSize& input) {
  Layers k("keras", "mobilenet");
  Tensor x = k.input(input.size);
  x = k.conv(x, {32, {3, 3}, 2, Padding::same, false}, "conv1");
  x = k.batch_norm(x, "conv1_bn");
  x = k.relu6(x, "conv1_relu");
  int id = 0;
  for (const MobileNetStep& step : kMobileNetV1) x = separable_block(k, x, step.filters, step.stride, ++id);
  x = k.global_average_pool(x);
  x = k.to_image(x, "reshape_1");
  x = k.dropout(x, "dropout");
  x = k.conv(x, {1000, {1, 1}, 1, Padding::same}, "conv_preds");
  x = k.to_vector(x, "reshape_2");
  return k.finish(k.softmax(x, "predictions"));
}

Result<Network> mobilenet_v2(const InputSize& input) {
  Layers k("keras", "mobilenetv2");
  Tensor x = k.input(input.size);
  x = k.conv(x, {32, {3, 3}, 2, Padding::same, false}, "Conv1");
  x = k.batch_norm(x, "bn_Conv1");
  x = k.relu6(x, "Conv1_relu");
  int id = 0;
  for (const MobileNetStage& stage : kMobileNetV2) {
    for (int i = 0; i < stage.repeats; ++i) {
      x = inverted_residual(k, x, stage.filters, i == 0 ? stage.stride : 1, stage.expansion, id++);
    }
  }
  x = k.conv(x, {1280, {1, 1}, 1, Padding::valid, false}, "Conv_1");
  x = k.batch_norm(x, "Conv_1_bn");
  x = k.relu6(x, "out_relu");
  x = k.global_average_pool(x);
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
