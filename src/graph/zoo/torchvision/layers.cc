#include "graph/zoo/torchvision/layers.h"

#include <algorithm>

namespace ergon::graph::zoo::torchvision {
namespace {

std::string_view module_of(Function function) {
  switch (function) {
    case Function::relu:
      return "ReLU";
    case Function::relu6:
      return "ReLU6";
    case Function::swish:
      return "SiLU";
    case Function::sigmoid:
      return "Sigmoid";
    case Function::hard_swish:
      return "Hardswish";
    case Function::hard_sigmoid:
      return "Hardsigmoid";
    case Function::gelu:
      return "GELU";
    case Function::tanh:
      return "Tanh";
    default:
      return "Activation";
  }
}

}  // namespace

Tensor Layers::conv(Tensor x, const Conv& conv, std::string name) {
  const Window window = Window::square(conv.kernel, conv.stride, conv.padding);
  return build_.add(std::move(name), "Conv2d", Convolution{window, conv.out, conv.groups, conv.bias}, {x});
}

Tensor Layers::conv(Tensor x, std::int64_t out, const Window& window, std::string name) {
  return build_.add(std::move(name), "Conv2d", Convolution{window, out, 1, false}, {x});
}

Tensor Layers::batch_norm(Tensor x, std::string name) {
  return build_.add(std::move(name), "BatchNorm2d", BatchNorm{}, {x});
}

Tensor Layers::layer_norm(Tensor x, std::string name) {
  return build_.add(std::move(name), "LayerNorm", LayerNorm{}, {x});
}

Tensor Layers::act(Tensor x, Function function, std::string name) {
  return build_.add(std::move(name), module_of(function), Elementwise{function}, {x});
}

Tensor Layers::max_pool(Tensor x, const Window& window, std::string name, bool round_up) {
  return build_.add(std::move(name), "MaxPool2d", Pool{PoolKind::max, window, round_up}, {x});
}

Tensor Layers::average_pool(Tensor x, const Window& window, std::string name) {
  return build_.add(std::move(name), "AvgPool2d", Pool{PoolKind::average, window}, {x});
}

Tensor Layers::adaptive_average_pool(Tensor x, std::int64_t size, std::string name) {
  return build_.add(std::move(name), "AdaptiveAvgPool2d", AdaptivePool{PoolKind::average, {size, size}}, {x});
}

Tensor Layers::linear(Tensor x, std::int64_t out, std::string name, bool bias) {
  return build_.add(std::move(name), "Linear", Dense{out, bias}, {x});
}

Tensor Layers::dropout(Tensor x, std::string name) {
  return build_.add(std::move(name), "Dropout", Dropout{}, {x});
}

Tensor Layers::stochastic_depth(Tensor x, std::string name) {
  return build_.add(std::move(name), "StochasticDepth", Dropout{}, {x});
}

Tensor Layers::function(std::string_view name, Operation operation, std::vector<Tensor> inputs) {
  return build_.add(build_.numbered(name), name, std::move(operation), std::move(inputs));
}

Tensor Layers::relu(Tensor x) { return function("relu", Elementwise{Function::relu}, {x}); }
Tensor Layers::add(Tensor a, Tensor b) { return function("add", Arithmetic{Combine::add}, {a, b}); }
Tensor Layers::multiply(Tensor a, Tensor b) { return function("mul", Arithmetic{Combine::multiply}, {a, b}); }
Tensor Layers::cat(std::vector<Tensor> parts) { return function("cat", Concat{1}, std::move(parts)); }
Tensor Layers::permute(Tensor x, std::vector<std::int64_t> order) {
  return function("permute", Transpose{std::move(order)}, {x});
}
Tensor Layers::mean_over_image(Tensor x) {
  return function("mean", Reduce{ReduceKind::mean, {2, 3}, false}, {x});
}
Tensor Layers::pooled(Tensor x, std::int64_t size) {
  return function("adaptive_avg_pool2d", AdaptivePool{PoolKind::average, {size, size}}, {x});
}
Tensor Layers::max_pooled(Tensor x, const Window& window) {
  return function("max_pool2d", Pool{PoolKind::max, window}, {x});
}
Tensor Layers::average_pooled(Tensor x, const Window& window) {
  return function("avg_pool2d", Pool{PoolKind::average, window}, {x});
}

Tensor Layers::flatten(Tensor x) {
  const Shape& from = build_.shape(x);
  const Count size = Count(from[1].size) * from[2].size * from[3].size;
  if (size.overflowed()) build_.reject(size.value().error());
  return function("flatten", Reshape{Shape{from[0], {size.overflowed() ? 1 : size.exact()}}}, {x});
}

std::int64_t make_divisible(double channels, std::int64_t divisor) {
  const auto half = static_cast<double>(divisor) / 2;
  auto rounded = std::max(divisor, static_cast<std::int64_t>(channels + half) / divisor * divisor);
  if (static_cast<double>(rounded) < 0.9 * channels) rounded += divisor;
  return rounded;
}

}  // namespace ergon::graph::zoo::torchvision
