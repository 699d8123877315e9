#include <fmt/format.h>

#include "graph/zoo/keras/layers.h"
#include "graph/zoo/keras/networks.h"

namespace ergon::graph::zoo::keras {

Result<Network> vgg(const std::string& name, std::span<const int> convolutions, const InputSize& input) {
  static constexpr std::int64_t kFilters[] = {64, 128, 256, 512, 512};
  Layers k("keras", name);
  Tensor x = k.input(input.size);
  for (std::size_t block = 0; block < convolutions.size(); ++block) {
    for (int i = 1; i <= convolutions[block]; ++i) {
      x = k.conv(x, {kFilters[block], {3, 3}, 1, Padding::same, true, Function::relu},
                 fmt::format("block{}_conv{}", block + 1, i));
    }
    x = k.max_pool(x, {2, 2}, fmt::format("block{}_pool", block + 1));
  }
  x = k.flatten(x, "flatten");
  x = k.dense(x, 4096, Function::relu, "fc1");
  x = k.dense(x, 4096, Function::relu, "fc2");
  return k.finish(k.classifier(x, 1000));
}

}  // namespace ergon::graph::zoo::keras
