#include "graph/zoo/torchvision/mobile.h"

#include <fmt/format.h>

namespace ergon::graph::zoo::torchvision {

Tensor conv_norm_act(Layers& t, Tensor x, const Conv& conv, std::optional<Function> function,
                     const std::string& name) {
  x = t.batch_norm(t.conv(x, conv, name + ".0"), name + ".1");
  return function ? t.act(x, *function, name + ".2") : x;
}

Tensor squeeze_excitation(Layers& t, Tensor x, const SqueezeExcitation& plan, const std::string& name) {
  const std::int64_t channels = t.channels(x);
  Tensor gate = t.adaptive_average_pool(x, 1, name + ".avgpool");
  gate = t.conv(gate, {plan.channels, 1, 1, 0, 1, true}, name + ".fc1");
  gate = t.act(gate, plan.inner, name + ".activation");
  gate = t.conv(gate, {channels, 1, 1, 0, 1, true}, name + ".fc2");
  gate = t.act(gate, plan.gate, name + ".scale_activation");
  return t.multiply(gate, x);
}

Tensor inverted_residual(Layers& t, Tensor x, const InvertedResidual& plan, const std::string& name) {
  const std::int64_t in = t.channels(x);
  Tensor y = x;
  int part = 0;
  const auto next = [&] { return fmt::format("{}.block.{}", name, part++); };
  if (plan.expanded != in || plan.always_expands) {
    y = conv_norm_act(t, y, {plan.expanded}, plan.function, next());
  }
  y = conv_norm_act(t, y, {plan.expanded, plan.kernel, plan.stride, (plan.kernel - 1) / 2, plan.expanded},
                    plan.function, next());
  if (plan.squeeze) y = squeeze_excitation(t, y, *plan.squeeze, next());
  y = conv_norm_act(t, y, {plan.out}, std::nullopt, next());
  if (plan.stride != 1 || in != plan.out) return y;
  if (plan.drops) y = t.stochastic_depth(y, name + ".stochastic_depth");
  return t.add(y, x);
}

}  // namespace ergon::graph::zoo::torchvision
