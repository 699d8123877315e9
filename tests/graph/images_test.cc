#include "graph/images.h"

#include <gtest/gtest.h>

#include "graph/builder.h"

namespace ergon::graph {
namespace {

using Sizes = std::vector<std::int64_t>;

Network finished(Builder& b) {
  auto network = b.finish({});
  EXPECT_TRUE(network) << (network ? "" : network.error().message);
  return std::move(*network);
}

TEST(Images, PropagateThroughOperationsBeforeConvolutions) {
  Builder b("test", "shuffle");
  Tensor x = b.input("x", "Input", Shape::batch_of({2, 3, 5, 7}));
  x = b.add("merged", "Reshape", Reshape{Shape::batch_of({6, 5, 7})}, {x});
  x = b.add("relu", "Relu", Elementwise{Function::relu}, {x});
  x = b.add("conv", "Conv", Convolution{Window::square(1), 8}, {x});
  const Network network = finished(b);
  EXPECT_EQ(network.output_sizes(network.layers[0]), (Sizes{2, 3, 5, 7}));
  EXPECT_EQ(network.output_sizes(network.layers[1]), (Sizes{5, 7, 6})) << "found from the convolution behind";
  EXPECT_EQ(network.output_sizes(network.layers[3]), (Sizes{5, 7, 8}));
}

TEST(Images, AreOutputsOfChannelsFirstTransposes) {
  Builder b("test", "turned");
  Tensor x = b.input("x", "Input", Shape::batch_of({5, 7, 6}));
  const Tensor first = b.add("front", "Transpose", Transpose{{0, 3, 1, 2}}, {x});
  b.add("other", "Transpose", Transpose{{0, 3, 2, 1}}, {x});
  b.add("relu", "Relu", Elementwise{Function::relu}, {first});
  const Network network = finished(b);
  EXPECT_EQ(network.output_sizes(network.layers[1]), (Sizes{5, 7, 6}));
  EXPECT_EQ(network.output_sizes(network.layers[2]), (Sizes{6, 7, 5})) << "as it lies in memory";
  EXPECT_EQ(network.output_sizes(network.layers[3]), (Sizes{5, 7, 6}));
}

TEST(Images, DoNotIncludeAttentionHeads) {
  Builder b("test", "attention");
  const Tensor q = b.input("q", "Input", Shape::batch_of({12, 197, 64}));
  const Tensor turned = b.add("turned", "Transpose", Transpose{{0, 1, 3, 2}}, {q});
  b.add("scores", "MatMul", MatrixProduct{}, {q, turned});
  const Network network = finished(b);
  for (const Layer& layer : network.layers)
    EXPECT_FALSE(network.output_of(layer).shape.is_image()) << layer.name;
}

}  // namespace
}  // namespace ergon::graph
