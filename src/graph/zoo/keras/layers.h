#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/builder.h"

namespace ergon::graph::zoo::keras {

struct Conv {
  std::int64_t filters = 0;
  Extent kernel{1, 1};
  std::int64_t stride = 1;
  Padding padding = Padding::valid;
  bool bias = true;
  std::optional<Function> activation;
};

struct Pooling {
  std::int64_t size = 2;
  std::int64_t stride = 2;
  Padding padding = Padding::valid;
};

// The layers of Keras 2.6 that keras.applications uses. An empty name is replaced by Keras' automatic name
// ("conv2d_3").
class Layers {
 public:
  Layers(const std::string& family, const std::string& name) : build_(family, name) {}

  Tensor input(std::int64_t size);
  Tensor conv(Tensor x, const Conv& conv, const std::string& name = "", std::string_view type = "Conv2D");
  Tensor depthwise(Tensor x, Conv conv, const std::string& name);
  Tensor separable(Tensor x, const Conv& conv, const std::string& name);
  Tensor batch_norm(Tensor x, const std::string& name = "", bool scale = true);
  Tensor activation(Tensor x, Function function = Function::relu, const std::string& name = "");
  Tensor relu6(Tensor x, const std::string& name);
  Tensor max_pool(Tensor x, const Pooling& pooling, const std::string& name = "",
                  std::string_view type = "MaxPooling2D");
  Tensor average_pool(Tensor x, const Pooling& pooling, const std::string& name = "");
  Tensor global_average_pool(Tensor x, const std::string& name = "");
  Tensor zero_pad(Tensor x, std::int64_t before, std::int64_t after, const std::string& name = "");
  Tensor crop(Tensor x, std::int64_t before, std::int64_t after);
  Tensor dense(Tensor x, std::int64_t units, std::optional<Function> activation, const std::string& name);
  Tensor classifier(Tensor x, std::int64_t classes,
                    const std::string& name = "predictions");  // dense and softmax
  Tensor softmax(Tensor x, const std::string& name);
  Tensor add(Tensor a, Tensor b, const std::string& name = "");
  Tensor multiply(Tensor a, Tensor b, const std::string& name);
  Tensor concat(std::vector<Tensor> parts, const std::string& name = "");
  Tensor dropout(Tensor x, const std::string& name);
  Tensor flatten(Tensor x, const std::string& name);
  Tensor to_image(Tensor x, const std::string& name);  // (channels) as a 1 x 1 image
  Tensor to_vector(Tensor x, const std::string& name);
  // a + scale * b, the residual of Inception-ResNet.
  Tensor scaled_residual(Tensor a, Tensor b, const std::string& name);

  // Explicit padding before a convolution with stride 2 (keras.applications' correct_pad).
  Tensor pad_for_stride(Tensor x, std::int64_t kernel, const std::string& name);

  Builder& build() { return build_; }
  std::int64_t channels(Tensor x) const { return build_.channels(x); }
  std::int64_t height(Tensor x) const { return build_.shape(x)[2].size; }
  Result<Network> finish(Tensor output) { return build_.finish({output}); }

 private:
  std::string named(const std::string& name, std::string_view stem);
  Window window(Tensor x, const Extent& kernel, std::int64_t stride, Padding padding) const;

  Builder build_;
};

}  // namespace ergon::graph::zoo::keras
