// Caffe's reference networks (models/bvlc_alexnet, models/bvlc_googlenet).

#include <array>

#include <fmt/format.h>

#include "graph/builder.h"
#include "graph/zoo/entry.h"

namespace ergon::graph::zoo {
namespace {

// Caffe's layers: explicit padding, and poolings that round up.
class Caffe {
 public:
  explicit Caffe(const std::string& name) : build_("caffe", name) {}

  Tensor input(std::int64_t size) { return build_.input("data", "Input", Shape::image_of(3, size, size)); }
  Tensor conv(Tensor x, std::int64_t filters, const Window& window, const std::string& name,
              std::int64_t groups = 1) {
    return build_.add(name, "Conv2D", Convolution{window, filters, groups, true}, {x});
  }
  Tensor relu(Tensor x, const std::string& name) {
    return build_.add(name, "ReLU", Elementwise{Function::relu}, {x});
  }
  Tensor response_norm(Tensor x, const std::string& name) {
    return build_.add(name, "LRN", LocalResponseNorm{5}, {x});
  }
  Tensor max_pool(Tensor x, const Window& window, const std::string& name) {
    return build_.add(name, "MaxPool", Pool{PoolKind::max, window, true}, {x});
  }
  Tensor average_pool(Tensor x, const Window& window, const std::string& name) {
    return build_.add(name, "AvgPool", Pool{PoolKind::average, window, true}, {x});
  }
  // InnerProduct; flattening is part of the layer.
  Tensor dense(Tensor x, std::int64_t outputs, const std::string& name) {
    const Shape& from = build_.shape(x);
    Count size = 1;
    for (std::size_t axis = 1; axis < from.rank(); ++axis) size *= from[axis].size;
    if (size.overflowed()) build_.reject(size.value().error());
    if (build_.failed()) return x;
    if (from.rank() == 2) return build_.add(name, "Dense", Dense{outputs, true}, {x});
    return build_.chain(name, "Dense", {Reshape{Shape{from[0], {size.exact()}}}, Dense{outputs, true}}, x);
  }
  Tensor dropout(Tensor x, const std::string& name) { return build_.add(name, "Dropout", Dropout{}, {x}); }
  Tensor softmax(Tensor x) { return build_.add("prob", "Softmax", Softmax{}, {x}); }
  Tensor concat(std::vector<Tensor> parts, const std::string& name) {
    return build_.add(name, "Concat", Concat{1}, std::move(parts));
  }
  Result<Network> finish(Tensor output) { return build_.finish({output}); }

 private:
  Builder build_;
};

Result<Network> alexnet(const InputSize& input) {
  Caffe c("alexnet");
  Tensor x = c.input(input.size);
  x = c.relu(c.conv(x, 96, Window::square(11, 4), "conv1"), "relu1");
  x = c.max_pool(c.response_norm(x, "norm1"), Window::square(3, 2), "pool1");
  x = c.relu(c.conv(x, 256, Window::square(5, 1, 2), "conv2", 2), "relu2");
  x = c.max_pool(c.response_norm(x, "norm2"), Window::square(3, 2), "pool2");
  x = c.relu(c.conv(x, 384, Window::square(3, 1, 1), "conv3"), "relu3");
  x = c.relu(c.conv(x, 384, Window::square(3, 1, 1), "conv4", 2), "relu4");
  x = c.relu(c.conv(x, 256, Window::square(3, 1, 1), "conv5", 2), "relu5");
  x = c.max_pool(x, Window::square(3, 2), "pool5");
  x = c.dropout(c.relu(c.dense(x, 4096, "fc6"), "relu6"), "drop6");
  x = c.dropout(c.relu(c.dense(x, 4096, "fc7"), "relu7"), "drop7");
  return c.finish(c.softmax(c.dense(x, 1000, "fc8")));
}

struct InceptionPlan {
  const char* name;
  std::int64_t one, reduce3, three, reduce5, five, pool;
  bool shrinks;  // preceded by a pooling
};

// Szegedy et al. 2014, Table 1.
constexpr std::array<InceptionPlan, 9> kInceptions{{{"3a", 64, 96, 128, 16, 32, 32, false},
                                                    {"3b", 128, 128, 192, 32, 96, 64, false},
                                                    {"4a", 192, 96, 208, 16, 48, 64, true},
                                                    {"4b", 160, 112, 224, 24, 64, 64, false},
                                                    {"4c", 128, 128, 256, 24, 64, 64, false},
                                                    {"4d", 112, 144, 288, 32, 64, 64, false},
                                                    {"4e", 256, 160, 320, 32, 128, 128, false},
                                                    {"5a", 256, 160, 320, 32, 128, 128, true},
                                                    {"5b", 384, 192, 384, 48, 128, 128, false}}};

Tensor inception(Caffe& c, Tensor x, const InceptionPlan& plan) {
  const std::string scope = fmt::format("inception_{}/", plan.name);
  const auto unit = [&](Tensor in, std::int64_t filters, std::int64_t kernel, const std::string& name) {
    return c.relu(c.conv(in, filters, Window::square(kernel, 1, kernel / 2), scope + name),
                  scope + "relu_" + name);
  };
  const Tensor one = unit(x, plan.one, 1, "1x1");
  const Tensor three = unit(unit(x, plan.reduce3, 1, "3x3_reduce"), plan.three, 3, "3x3");
  const Tensor five = unit(unit(x, plan.reduce5, 1, "5x5_reduce"), plan.five, 5, "5x5");
  const Tensor pool = unit(c.max_pool(x, Window::square(3, 1, 1), scope + "pool"), plan.pool, 1, "pool_proj");
  return c.concat({one, three, five, pool}, scope + "output");
}

Result<Network> googlenet(const InputSize& input) {
  Caffe c("googlenet");
  Tensor x = c.input(input.size);
  x = c.relu(c.conv(x, 64, Window::square(7, 2, 3), "conv1/7x7_s2"), "conv1/relu_7x7");
  x = c.response_norm(c.max_pool(x, Window::square(3, 2), "pool1/3x3_s2"), "pool1/norm1");
  x = c.relu(c.conv(x, 64, Window::square(1), "conv2/3x3_reduce"), "conv2/relu_3x3_reduce");
  x = c.relu(c.conv(x, 192, Window::square(3, 1, 1), "conv2/3x3"), "conv2/relu_3x3");
  x = c.max_pool(c.response_norm(x, "conv2/norm2"), Window::square(3, 2), "pool2/3x3_s2");
  for (const InceptionPlan& plan : kInceptions) {
    if (plan.shrinks) x = c.max_pool(x, Window::square(3, 2), fmt::format("pool{}/3x3_s2", plan.name[0] - 1));
    x = inception(c, x, plan);
  }
  x = c.average_pool(x, Window::square(7, 1), "pool5/7x7_s1");
  x = c.dropout(x, "pool5/drop_7x7_s1");
  return c.finish(c.softmax(c.dense(x, 1000, "loss3/classifier")));
}

}  // namespace

std::vector<Entry> caffe_entries() {
  return {
      {"caffe", "alexnet", {227}, alexnet, NeuronCount::weighted_only},
      {"caffe", "googlenet", {224}, googlenet},
  };
}

}  // namespace ergon::graph::zoo
