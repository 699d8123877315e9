// Big Transfer (Kolesnikov et al. 2019): ResNet-v2 with group norm and weight standardization.

#include <fmt/format.h>

#include "graph/zoo/entry.h"
#include "graph/zoo/keras/layers.h"

namespace ergon::graph::zoo {
namespace {

using keras::Layers;

Tensor norm_relu(Layers& k, Tensor x, const std::string& scope) {
  x = k.build().add(scope + "group_norm", "GroupNorm", GroupNorm{32}, {x});
  return k.build().add(scope + "re_lu", "ReLU", Elementwise{Function::relu}, {x});
}

Tensor conv(Layers& k, Tensor x, std::int64_t filters, std::int64_t kernel, std::int64_t stride,
            const std::string& scope) {
  if (kernel > 1) x = k.zero_pad(x, (kernel - 1) / 2, (kernel - 1) / 2, scope + "padding_from_kernel_size");
  return k.conv(x, {filters, {kernel, kernel}, stride, Padding::valid, false}, scope + "standardized_conv2d",
                "StandardizedConv2D");
}

Tensor unit(Layers& k, Tensor x, std::int64_t filters, std::int64_t stride, const std::string& scope) {
  const Tensor pre = norm_relu(k, x, scope + "a/");
  const bool project = stride > 1 || k.channels(x) != 4 * filters;
  const Tensor shortcut = project ? conv(k, pre, 4 * filters, 1, stride, scope + "a/proj/") : x;
  Tensor y = conv(k, pre, filters, 1, 1, scope + "a/");
  y = norm_relu(k, y, scope + "b/");
  y = conv(k, y, filters, 3, stride, scope + "b/");
  y = norm_relu(k, y, scope + "c/");
  y = conv(k, y, 4 * filters, 1, 1, scope + "c/");
  return k.add(y, shortcut, scope + "add");
}

Result<Network> big_transfer(const std::string& name, const std::vector<int>& units, std::int64_t width,
                             const InputSize& input) {
  Layers k("bit", name);
  Tensor x = k.input(input.size);
  x = conv(k, x, 64 * width, 7, 2, "root_block/");
  x = k.zero_pad(x, 1, 1, "root_block/padding_from_kernel_size_1");
  x = k.max_pool(x, {3, 2}, "root_block/max_pool2d", "MaxPool2D");
  for (std::size_t block = 0; block < units.size(); ++block) {
    const std::int64_t filters = (64 * width) << block;
    for (int i = 1; i <= units[block]; ++i) {
      const std::int64_t stride = i == 1 && block > 0 ? 2 : 1;
      x = unit(k, x, filters, stride, fmt::format("block{}/unit{:02}/", block + 1, i));
    }
  }
  x = norm_relu(k, x, "");
  x = k.global_average_pool(x);
  return k.finish(k.dense(x, 1000, std::nullopt, "head/dense"));
}

Entry entry(const std::string& name, std::vector<int> units, std::int64_t width) {
  return {"bit",
          name,
          {224},
          [name, units = std::move(units), width](const InputSize& input) {
            return big_transfer(name, units, width, input);
          },
          NeuronCount::kernel_artifact};
}

}  // namespace

std::vector<Entry> bit_entries() {
  return {
      entry("m-r50x1", {3, 4, 6, 3}, 1),
      entry("m-r50x3", {3, 4, 6, 3}, 3),
      entry("m-r101x1", {3, 4, 23, 3}, 1),
      entry("m-r101x3", {3, 4, 23, 3}, 3),
      // The paper prints 154; the network has the 152 layers of ResNet-152.
      entry("m-r154x4", {3, 8, 36, 3}, 4),
  };
}

}  // namespace ergon::graph::zoo
