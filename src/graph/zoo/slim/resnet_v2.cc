#include <fmt/format.h>

#include "graph/zoo/slim/layers.h"
#include "graph/zoo/slim/networks.h"

namespace ergon::graph::zoo::slim {
namespace {

// 3 x 3 convolution with explicit padding if its stride is not 1.
Tensor same_conv(Layers& s, Tensor x, std::int64_t filters, std::int64_t stride, const std::string& scope) {
  if (stride == 1) return s.kernel(x, filters, {3, 3}, 1, Padding::same, false, scope + "/conv2");
  x = s.pad(x, 1, 1, scope + "/Pad");
  return s.kernel(x, filters, {3, 3}, stride, Padding::valid, false, scope + "/conv2");
}

Tensor norm_relu(Layers& s, Tensor x, const std::string& scope) {
  return s.relu(s.batch_norm(x, scope + "/BatchNorm", true), scope + "/Relu");
}

Tensor bottleneck(Layers& s, Tensor x, std::int64_t filters, std::int64_t stride, const std::string& scope) {
  const Tensor pre = s.relu(s.batch_norm(x, scope + "/preact", true), scope + "/Relu");
  Tensor shortcut = x;
  if (s.channels(x) != 4 * filters) {
    shortcut = s.kernel(pre, 4 * filters, {1, 1}, stride, Padding::same, true, scope + "/shortcut");
  } else if (stride > 1) {
    shortcut = s.max_pool(x, 1, stride, Padding::same, scope + "/shortcut");
  }
  Tensor y = s.kernel(pre, filters, {1, 1}, 1, Padding::same, false, scope + "/conv1");
  y = norm_relu(s, y, scope + "/conv1");
  y = same_conv(s, y, filters, stride, scope);
  y = norm_relu(s, y, scope + "/conv2");
  y = s.kernel(y, 4 * filters, {1, 1}, 1, Padding::same, true, scope + "/conv3");
  return s.add(shortcut, y, scope + "/add");
}

}  // namespace

Result<Network> resnet_v2(const std::string& name, std::span<const int> units, const InputSize& input) {
  Layers s(name);
  Tensor x = s.pad(s.input(input.size), 3, 3, name + "/Pad");
  x = s.kernel(x, 64, {7, 7}, 2, Padding::valid, true, name + "/conv1");
  x = s.max_pool(x, 3, 2, Padding::same, name + "/pool1");
  for (std::size_t block = 0; block < units.size(); ++block) {
    for (int unit = 1; unit <= units[block]; ++unit) {
      const bool shrinks = unit == units[block] && block + 1 < units.size();
      x = bottleneck(s, x, std::int64_t{64} << block, shrinks ? 2 : 1,
                     fmt::format("{}/block{}/unit_{}/bottleneck_v2", name, block + 1, unit));
    }
  }
  x = s.relu(s.batch_norm(x, name + "/postnorm", true), name + "/Relu");
  x = s.mean(x, true, name + "/pool5");
  x = s.kernel(x, kClasses, {1, 1}, 1, Padding::same, true, name + "/logits");
  return s.finish(s.softmax(s.squeeze(x, name + "/SpatialSqueeze"), name + "/predictions"));
}

}  // namespace ergon::graph::zoo::slim
