#include <fmt/format.h>

#include "graph/zoo/mobilenet_tables.h"
#include "graph/zoo/slim/layers.h"
#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo::slim {
namespace {

Tensor norm_relu6(Layers& s, Tensor x, const std::string& scope) {
  return s.relu6(s.batch_norm(x, scope + "/BatchNorm", true), scope + "/Relu6");
}

Tensor conv(Layers& s, Tensor x, std::int64_t filters, std::int64_t size, std::int64_t stride,
            const std::string& scope) {
  return norm_relu6(s, s.kernel(x, filters, {size, size}, stride, Padding::same, false, scope), scope);
}

Tensor depthwise(Layers& s, Tensor x, std::int64_t stride, const std::string& scope) {
  return norm_relu6(s, s.depthwise(x, 1, 3, stride, scope + "/depthwise"), scope);
}

Tensor head(Layers& s, Tensor x, const std::string& net, const std::string& pool,
            const std::string& squeeze) {
  x = s.average_pool(x, 7, 1, Padding::valid, net + "/Logits/" + pool);
  x = s.kernel(x, kClasses, {1, 1}, 1, Padding::same, true, net + "/Logits/Conv2d_1c_1x1");
  return s.softmax(s.squeeze(x, net + "/Logits/" + squeeze), net + "/Predictions");
}

}  // namespace

Result<Network> mobilenet_v1(const InputSize& input) {
  Layers s("mobilenet_v1");
  Tensor x = conv(s, s.input(input.size), 32, 3, 2, "MobilenetV1/Conv2d_0");
  int i = 0;
  for (const MobileNetStep& step : kMobileNetV1) {
    const std::string scope = fmt::format("MobilenetV1/Conv2d_{}", ++i);
    x = depthwise(s, x, step.stride, scope + "_depthwise");
    x = conv(s, x, step.filters, 1, 1, scope + "_pointwise");
  }
  return s.finish(head(s, x, "MobilenetV1", "AvgPool_1a", "SpatialSqueeze"));
}

Result<Network> mobilenet_v2(const InputSize& input) {
  Layers s("mobilenet_v2");
  Tensor x = conv(s, s.input(input.size), 32, 3, 2, "MobilenetV2/Conv");
  int block = 0;
  for (const MobileNetStage& stage : kMobileNetV2) {
    for (int i = 0; i < stage.repeats; ++i, ++block) {
      const std::string scope =
          block == 0 ? "MobilenetV2/expanded_conv" : fmt::format("MobilenetV2/expanded_conv_{}", block);
      const Tensor before = x;
      if (stage.expansion > 1) x = conv(s, x, stage.expansion * s.channels(x), 1, 1, scope + "/expand");
      x = depthwise(s, x, i == 0 ? stage.stride : 1, scope + "/depthwise");
      x = s.kernel(x, stage.filters, {1, 1}, 1, Padding::same, false, scope + "/project");
      x = s.batch_norm(x, scope + "/project/BatchNorm", true);
      if (i > 0) x = s.add(x, before, scope + "/add");
    }
  }
  x = conv(s, x, 1280, 1, 1, "MobilenetV2/Conv_1");
  return s.finish(head(s, x, "MobilenetV2", "AvgPool", "Squeeze"));
}

}  // namespace ergon::graph::zoo::slim
