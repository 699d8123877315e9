#include "graph/zoo/slim/layers.h"

namespace ergon::graph::zoo::slim {

Window Layers::window(Tensor x, const Extent& size, std::int64_t stride, Padding padding) const {
  const Shape& shape = build_.shape(x);
  return image_window(size, stride, padding, shape[2].size, shape[3].size);
}

Tensor Layers::input(std::int64_t size) {
  return build_.input("input", "Input", Shape::image_of(3, size, size));
}

Tensor Layers::kernel(Tensor x, std::int64_t filters, Extent size, std::int64_t stride, Padding padding,
                      bool bias, const std::string& scope) {
  return build_.add(scope, "Conv2D", Convolution{window(x, size, stride, padding), filters, 1, bias}, {x});
}

Tensor Layers::depthwise(Tensor x, std::int64_t multiplier, std::int64_t size, std::int64_t stride,
                         const std::string& scope) {
  const std::int64_t channels = build_.channels(x);
  const Window kernel_window = window(x, {size, size}, stride, Padding::same);
  return build_.add(scope, "DepthwiseConv2D",
                    Convolution{kernel_window, channels * multiplier, channels, false}, {x});
}

Tensor Layers::batch_norm(Tensor x, const std::string& scope, bool scale) {
  return build_.add(scope, "BatchNorm", BatchNorm{scale, true}, {x});
}

Tensor Layers::relu(Tensor x, const std::string& scope) {
  return build_.add(scope, "Relu", Elementwise{Function::relu}, {x});
}

Tensor Layers::relu6(Tensor x, const std::string& scope) {
  return build_.add(scope, "Relu6", Elementwise{Function::relu6}, {x});
}

Tensor Layers::max_pool(Tensor x, std::int64_t size, std::int64_t stride, Padding padding,
                        const std::string& scope) {
  return build_.add(scope, "MaxPool", Pool{PoolKind::max, window(x, {size, size}, stride, padding)}, {x});
}

Tensor Layers::average_pool(Tensor x, std::int64_t size, std::int64_t stride, Padding padding,
                            const std::string& scope) {
  return build_.add(scope, "AvgPool", Pool{PoolKind::average, window(x, {size, size}, stride, padding)}, {x});
}

Tensor Layers::pad(Tensor x, std::int64_t before, std::int64_t after, const std::string& scope) {
  return build_.add(scope, "Pad", Pad{{0, 0, before, before}, {0, 0, after, after}}, {x});
}

Tensor Layers::drop_first(Tensor x, const std::string& scope) {
  const Shape& from = build_.shape(x);
  const Shape rest = Shape{from[0], from[1], {from[2].size - 1}, {from[3].size - 1}}.as_image();
  return build_.add(scope, "StridedSlice", Slice{rest, {2, 3}, {1, 1}, {from[2].size, from[3].size}, {1, 1}},
                    {x});
}

Tensor Layers::mean(Tensor x, bool keep, const std::string& scope) {
  return build_.add(scope, "ReduceMean", Reduce{ReduceKind::mean, {2, 3}, keep}, {x});
}

Tensor Layers::concat(std::vector<Tensor> parts, const std::string& scope) {
  return build_.add(scope, "Concat", Concat{1}, std::move(parts));
}

Tensor Layers::add(Tensor a, Tensor b, const std::string& scope) {
  return build_.add(scope, "Add", Arithmetic{Combine::add}, {a, b});
}

Tensor Layers::dense(Tensor x, std::int64_t outputs, const std::string& scope) {
  return build_.add(scope, "Dense", Dense{outputs, true}, {x});
}

Tensor Layers::squeeze(Tensor x, const std::string& scope) {
  return build_.add(scope, "Squeeze", Reshape{Shape::batch_of({build_.channels(x)})}, {x});
}

Tensor Layers::softmax(Tensor x, const std::string& scope) {
  return build_.add(scope, "Softmax", Softmax{}, {x});
}

}  // namespace ergon::graph::zoo::slim
