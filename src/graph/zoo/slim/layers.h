#pragma once

#include <string>
#include <vector>

#include "graph/builder.h"

namespace ergon::graph::zoo::slim {

// The layers of TensorFlow Slim. A Slim convolution is three layers by default: kernel, norm, activation.
class Layers {
 public:
  explicit Layers(const std::string& name) : build_("slim", name) {}

  Tensor input(std::int64_t size);

  // The convolution without norm and activation.
  Tensor kernel(Tensor x, std::int64_t filters, Extent size, std::int64_t stride, Padding padding, bool bias,
                const std::string& scope);
  Tensor depthwise(Tensor x, std::int64_t multiplier, std::int64_t size, std::int64_t stride,
                   const std::string& scope);
  Tensor batch_norm(Tensor x, const std::string& scope, bool scale);
  Tensor relu(Tensor x, const std::string& scope);
  Tensor relu6(Tensor x, const std::string& scope);

  Tensor max_pool(Tensor x, std::int64_t size, std::int64_t stride, Padding padding,
                  const std::string& scope);
  Tensor average_pool(Tensor x, std::int64_t size, std::int64_t stride, Padding padding,
                      const std::string& scope);
  Tensor pad(Tensor x, std::int64_t before, std::int64_t after, const std::string& scope);
  // Removes the first row and column.
  Tensor drop_first(Tensor x, const std::string& scope);
  Tensor mean(Tensor x, bool keep, const std::string& scope);
  Tensor concat(std::vector<Tensor> parts, const std::string& scope);
  Tensor add(Tensor a, Tensor b, const std::string& scope);
  Tensor dense(Tensor x, std::int64_t outputs, const std::string& scope);
  Tensor squeeze(Tensor x, const std::string& scope);
  Tensor softmax(Tensor x, const std::string& scope);

  Builder& build() { return build_; }
  std::int64_t channels(Tensor x) const { return build_.channels(x); }
  std::int64_t height(Tensor x) const { return build_.shape(x)[2].size; }
  Result<Network> finish(Tensor output) { return build_.finish({output}); }

 private:
  Window window(Tensor x, const Extent& size, std::int64_t stride, Padding padding) const;

  Builder build_;
};

}  // namespace ergon::graph::zoo::slim
