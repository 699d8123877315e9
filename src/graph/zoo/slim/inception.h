#pragma once

#include <string>

#include "graph/zoo/slim/layers.h"

namespace ergon::graph::zoo::slim {

// Builds branches of an Inception network: convolution, batch norm without scale, ReLU.
class Inception {
 public:
  Inception(Layers& layers, std::string scope) : s_(layers), scope_(std::move(scope)) {}

  Inception in(const std::string& scope) const { return {s_, scope_ + "/" + scope}; }

  Tensor conv(Tensor x, std::int64_t filters, Extent size, const std::string& name, std::int64_t stride = 1,
              Padding padding = Padding::same) const {
    const std::string full = scope_ + "/" + name;
    x = s_.kernel(x, filters, size, stride, padding, false, full);
    x = s_.batch_norm(x, full + "/BatchNorm", false);
    return s_.relu(x, full + "/Relu");
  }
  Tensor max_pool(Tensor x, std::int64_t size, std::int64_t stride, const std::string& name,
                  Padding padding = Padding::same) const {
    return s_.max_pool(x, size, stride, padding, scope_ + "/" + name);
  }
  Tensor average_pool(Tensor x, std::int64_t size, std::int64_t stride, const std::string& name,
                      Padding padding = Padding::same) const {
    return s_.average_pool(x, size, stride, padding, scope_ + "/" + name);
  }
  Tensor concat(std::vector<Tensor> parts) const { return s_.concat(std::move(parts), scope_ + "/concat"); }

  // Class scores from a 1 x 1 image: a convolution with bias, squeezed, and a softmax.
  Tensor scores(Tensor x, std::int64_t classes, const std::string& conv, const std::string& squeeze,
                const std::string& softmax) const {
    x = s_.kernel(x, classes, {1, 1}, 1, Padding::same, true, scope_ + "/" + conv);
    return s_.softmax(s_.squeeze(x, scope_ + "/" + squeeze), softmax);
  }

  Layers& layers() const { return s_; }

 private:
  Layers& s_;
  std::string scope_;
};

}  // namespace ergon::graph::zoo::slim
