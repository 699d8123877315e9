#pragma once

#include <string>
#include <vector>

#include "graph/builder.h"

namespace ergon::graph::zoo::torchvision {

struct Conv {
  std::int64_t out = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t groups = 1;
  bool bias = false;
};

// PyTorch modules that torchvision uses, named as in the state dictionary. A function without a module (an
// addition, a concatenation) is a separate layer with the function's name and type.
class Layers {
 public:
  explicit Layers(const std::string& name) : build_("torchvision", name) {}

  Tensor image(std::int64_t size) { return build_.input("input", "input", Shape::image_of(3, size, size)); }

  Tensor conv(Tensor x, const Conv& conv, std::string name);
  Tensor conv(Tensor x, std::int64_t out, const Window& window,
              std::string name);  // rectangular, without bias
  Tensor batch_norm(Tensor x, std::string name);
  Tensor layer_norm(Tensor x, std::string name);
  Tensor act(Tensor x, Function function, std::string name);  // as a module
  Tensor max_pool(Tensor x, const Window& window, std::string name, bool round_up = false);
  Tensor average_pool(Tensor x, const Window& window, std::string name);
  Tensor adaptive_average_pool(Tensor x, std::int64_t size, std::string name);
  Tensor linear(Tensor x, std::int64_t out, std::string name, bool bias = true);
  Tensor dropout(Tensor x, std::string name);
  Tensor stochastic_depth(Tensor x, std::string name);

  // Functions.
  Tensor relu(Tensor x);
  Tensor add(Tensor a, Tensor b);
  Tensor multiply(Tensor a, Tensor b);
  Tensor cat(std::vector<Tensor> parts);
  Tensor flatten(Tensor x);
  Tensor permute(Tensor x, std::vector<std::int64_t> order);
  Tensor mean_over_image(Tensor x);
  Tensor pooled(Tensor x, std::int64_t size);  // adaptive average pooling
  Tensor max_pooled(Tensor x, const Window& window);
  Tensor average_pooled(Tensor x, const Window& window);

  Builder& build() { return build_; }
  std::int64_t channels(Tensor x) const { return build_.channels(x); }
  Result<Network> finish(Tensor output) { return build_.finish({output}); }

 private:
  Tensor function(std::string_view name, Operation operation, std::vector<Tensor> inputs);

  Builder build_;
};

// Rounds channels to a multiple of the divisor, and never down by more than 10 %.
std::int64_t make_divisible(double channels, std::int64_t divisor = 8);

}  // namespace ergon::graph::zoo::torchvision
