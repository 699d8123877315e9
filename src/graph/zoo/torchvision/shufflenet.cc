#include <fmt/format.h>

#include "graph/zoo/torchvision/mobile.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

// Channel shuffle: interleaves the channels of two halves.
Tensor shuffle(Layers& t, Tensor x) {
  Builder& b = t.build();
  if (b.failed()) return x;
  b.open(b.numbered("channel_shuffle"), "channel_shuffle");
  const Shape from = b.shape(x);
  Tensor y = b.put(Reshape{Shape{from[0], {2}, {from[1].size / 2}, from[2], from[3]}}, {x});
  y = b.put(Transpose{{0, 2, 1, 3, 4}}, {y});
  return b.put(Reshape{from}, {y});
}

Tensor main_branch(Layers& t, Tensor x, std::int64_t features, std::int64_t stride, const std::string& name) {
  const std::string branch = name + ".branch2.";
  x = t.act(t.batch_norm(t.conv(x, {features}, branch + "0"), branch + "1"), Function::relu, branch + "2");
  x = t.batch_norm(t.conv(x, {features, 3, stride, 1, features}, branch + "3"), branch + "4");
  return t.act(t.batch_norm(t.conv(x, {features}, branch + "5"), branch + "6"), Function::relu, branch + "7");
}

Tensor shrinking_unit(Layers& t, Tensor x, std::int64_t out, const std::string& name) {
  const std::string branch = name + ".branch1.";
  const std::int64_t in = t.channels(x);
  Tensor side = t.batch_norm(t.conv(x, {in, 3, 2, 1, in}, branch + "0"), branch + "1");
  side =
      t.act(t.batch_norm(t.conv(side, {out / 2}, branch + "2"), branch + "3"), Function::relu, branch + "4");
  return shuffle(t, t.cat({side, main_branch(t, x, out / 2, 2, name)}));
}

Tensor unit(Layers& t, Tensor x, const std::string& name) {
  Builder& b = t.build();
  const std::int64_t half = t.channels(x) / 2;
  if (!b.failed()) b.open(b.numbered("chunk"), "chunk");
  const auto halves = b.put_split(x, 1, {half, half});
  return shuffle(t, t.cat({halves[0], main_branch(t, halves[1], half, 1, name)}));
}

}  // namespace

Result<Network> shufflenet_v2(const ShuffleNetPlan& plan, const InputSize& input) {
  static constexpr int kRepeats[] = {4, 8, 4};
  Layers t(plan.name);
  Tensor x = conv_norm_act(t, t.image(input.size), {24, 3, 2, 1}, Function::relu, "conv1");
  x = t.max_pool(x, Window::square(3, 2, 1), "maxpool");
  for (std::size_t i = 0; i < std::size(kRepeats); ++i) {
    const auto name = [&](int block) { return fmt::format("stage{}.{}", i + 2, block); };
    x = shrinking_unit(t, x, plan.widths[i], name(0));
    for (int block = 1; block < kRepeats[i]; ++block) x = unit(t, x, name(block));
  }
  x = conv_norm_act(t, x, {plan.last}, Function::relu, "conv5");
  return t.finish(t.linear(t.mean_over_image(x), kClasses, "fc"));
}

}  // namespace ergon::graph::zoo::torchvision
