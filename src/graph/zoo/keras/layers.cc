#include "graph/zoo/keras/layers.h"

namespace ergon::graph::zoo::keras {

std::string Layers::named(const std::string& name, std::string_view stem) {
  return name.empty() ? build_.numbered(stem) : name;
}

Window Layers::window(Tensor x, const Extent& kernel, std::int64_t stride, Padding padding) const {
  const Shape& shape = build_.shape(x);
  return image_window(kernel, stride, padding, shape[2].size, shape[3].size);
}

Tensor Layers::input(std::int64_t size) {
  return build_.input("input", "InputLayer", Shape::image_of(3, size, size));
}

Tensor Layers::conv(Tensor x, const Conv& conv, const std::string& name, std::string_view type) {
  std::vector<Operation> operations{Convolution{window(x, conv.kernel, conv.stride, conv.padding),
                                                conv.filters, 1, conv.bias, type == "StandardizedConv2D"}};
  if (conv.activation) operations.emplace_back(Elementwise{*conv.activation});
  return build_.chain(named(name, "conv2d"), type, std::move(operations), x);
}

Tensor Layers::depthwise(Tensor x, Conv conv, const std::string& name) {
  const std::int64_t channels = build_.channels(x);
  return build_.add(
      name, "DepthwiseConv2D",
      Convolution{window(x, conv.kernel, conv.stride, conv.padding), channels, channels, conv.bias}, {x});
}

Tensor Layers::separable(Tensor x, const Conv& conv, const std::string& name) {
  const std::int64_t channels = build_.channels(x);
  return build_.chain(
      name, "SeparableConv2D",
      {Convolution{window(x, conv.kernel, conv.stride, conv.padding), channels, channels, false},
       Convolution{Window::square(1), conv.filters, 1, conv.bias}},
      x);
}

Tensor Layers::batch_norm(Tensor x, const std::string& name, bool scale) {
  return build_.add(named(name, "batch_normalization"), "BatchNormalization", BatchNorm{scale, true}, {x});
}

Tensor Layers::activation(Tensor x, Function function, const std::string& name) {
  return build_.add(named(name, "activation"), "Activation", Elementwise{function}, {x});
}

Tensor Layers::relu6(Tensor x, const std::string& name) {
  return build_.add(name, "ReLU", Elementwise{Function::relu6}, {x});
}

Tensor Layers::max_pool(Tensor x, const Pooling& pooling, const std::string& name, std::string_view type) {
  const Window pool_window = window(x, {pooling.size, pooling.size}, pooling.stride, pooling.padding);
  return build_.add(named(name, "max_pooling2d"), type, Pool{PoolKind::max, pool_window}, {x});
}

Tensor Layers::average_pool(Tensor x, const Pooling& pooling, const std::string& name) {
  const Window pool_window = window(x, {pooling.size, pooling.size}, pooling.stride, pooling.padding);
  return build_.add(named(name, "average_pooling2d"), "AveragePooling2D",
                    Pool{PoolKind::average, pool_window}, {x});
}

Tensor Layers::global_average_pool(Tensor x, const std::string& name) {
  return build_.add(named(name, "global_average_pooling2d"), "GlobalAveragePooling2D",
                    Reduce{ReduceKind::mean, {2, 3}, false}, {x});
}

Tensor Layers::zero_pad(Tensor x, std::int64_t before, std::int64_t after, const std::string& name) {
  return build_.add(named(name, "zero_padding2d"), "ZeroPadding2D",
                    Pad{{0, 0, before, before}, {0, 0, after, after}}, {x});
}

Tensor Layers::crop(Tensor x, std::int64_t before, std::int64_t after) {
  const Shape& from = build_.shape(x);
  const std::int64_t height = from[2].size - before - after;
  const std::int64_t width = from[3].size - before - after;
  return build_.add(build_.numbered("cropping2d"), "Cropping2D",
                    Slice{Shape{from[0], from[1], {height}, {width}}.as_image(),
                          {2, 3},
                          {before, before},
                          {before + height, before + width},
                          {1, 1}},
                    {x});
}

Tensor Layers::dense(Tensor x, std::int64_t units, std::optional<Function> activation,
                     const std::string& name) {
  std::vector<Operation> operations{Dense{units, true}};
  if (activation) operations.emplace_back(Elementwise{*activation});
  return build_.chain(name, "Dense", std::move(operations), x);
}

Tensor Layers::classifier(Tensor x, std::int64_t classes, const std::string& name) {
  return build_.chain(name, "Dense", {Dense{classes, true}, Softmax{}}, x);
}

Tensor Layers::softmax(Tensor x, const std::string& name) {
  return build_.add(name, "Activation", Softmax{}, {x});
}

Tensor Layers::add(Tensor a, Tensor b, const std::string& name) {
  return build_.add(named(name, "add"), "Add", Arithmetic{Combine::add}, {a, b});
}

Tensor Layers::multiply(Tensor a, Tensor b, const std::string& name) {
  return build_.add(name, "Multiply", Arithmetic{Combine::multiply}, {a, b});
}

Tensor Layers::concat(std::vector<Tensor> parts, const std::string& name) {
  return build_.add(named(name, "concatenate"), "Concatenate", Concat{1}, std::move(parts));
}

Tensor Layers::dropout(Tensor x, const std::string& name) {
  return build_.add(name, "Dropout", Dropout{}, {x});
}

Tensor Layers::flatten(Tensor x, const std::string& name) {
  const Shape& from = build_.shape(x);
  const Count size = Count(from[1].size) * from[2].size * from[3].size;
  if (size.overflowed()) build_.reject(size.value().error());
  return build_.add(name, "Flatten", Reshape{Shape{from[0], {size.overflowed() ? 1 : size.exact()}}}, {x});
}

Tensor Layers::to_image(Tensor x, const std::string& name) {
  return build_.add(name, "Reshape", Reshape{Shape::image_of(build_.channels(x), 1, 1)}, {x});
}

Tensor Layers::to_vector(Tensor x, const std::string& name) {
  return build_.add(name, "Reshape", Reshape{Shape::batch_of({build_.channels(x)})}, {x});
}

Tensor Layers::scaled_residual(Tensor a, Tensor b, const std::string& name) {
  if (build_.failed()) return a;
  build_.open(name, "Lambda");
  const Tensor scaled = build_.put(Arithmetic{Combine::multiply, std::nullopt, true}, {b});
  return build_.put(Arithmetic{Combine::add}, {a, scaled});
}

Tensor Layers::pad_for_stride(Tensor x, std::int64_t kernel, const std::string& name) {
  const std::int64_t after = kernel / 2;
  const std::int64_t before = after - (height(x) % 2 == 0 ? 1 : 0);
  return zero_pad(x, before, after, name);
}

}  // namespace ergon::graph::zoo::keras
