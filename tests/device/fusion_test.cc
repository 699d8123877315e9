#include "device/twin/fusion.h"

#include <gtest/gtest.h>

#include "device/twin/kernel.h"
#include "graph/builder.h"
#include "graph/zoo/zoo.h"

namespace ergon::device {
namespace {

graph::Network built(const std::string& name) {
  return graph::zoo::build(*graph::zoo::find(name).value()).value();
}

std::int64_t launches(const Workload& work, const std::string& kind) {
  std::int64_t count = 0;
  for (const Operation& each : work.operations) {
    if (each.kind == kind) count += each.count;
  }
  return count;
}

Workload inference(const std::string& name) {
  return workload_of(built(name), 4, graph::Mode::inference, Precision::fp32).value();
}

// Twelve attention blocks, each with a softmax between two products.
TEST(Fusion, AttentionKeepsItsScoresOnTheChip) {
  const Workload work = inference("vit_b_16");
  EXPECT_EQ(launches(work, "softmax"), 0);
  EXPECT_EQ(launches(work, "matmul"), 24);
  for (const Operation& each : work.operations) {
    if (each.kind != "matmul") continue;
    // Traffic: two of the three operands of 197 x 64 by 12 heads, but not the scores of 197 x 197.
    EXPECT_NEAR(each.forward[0].traffic.si(), 4.0 * 12 * 4 * 2 * 197 * 64,
                0.02 * 4.0 * 12 * 4 * 2 * 197 * 64);
  }
}

// Swin adds a learned bias to the scores, which the fused kernel does not support.
TEST(Fusion, AttentionWithALearnedBiasIsNotFused) { EXPECT_EQ(launches(inference("swin_t"), "softmax"), 12); }

// Attention normalizes each row of scores.
TEST(Fusion, ASoftmaxOverAnotherDimensionIsNotFused) {
  for (const std::int64_t axis : {-1, 3, 2, 1}) {
    graph::Builder b("test", "attention");
    const auto x = b.input("x", "Input", graph::Shape{graph::Dim::batch(), {12}, {64}, {64}});
    const auto scores = b.add("scores", "MatMul", graph::MatrixProduct{}, {x, x});
    const auto weights = b.add("weights", "Softmax", graph::Softmax{axis}, {scores});
    const auto network = b.finish({b.add("sum", "MatMul", graph::MatrixProduct{}, {weights, x})}).value();
    EXPECT_EQ(fusion_of(network).attention.size(), axis == -1 || axis == 3 ? 1U : 0U) << axis;
  }
}

TEST(Fusion, ATransposeIsAViewUnlessAReshapeFollows) {
  const Workload work = inference("shufflenet_v2_x1_0");
  EXPECT_EQ(launches(work, "transpose"), 16);  // one channel shuffle per block, each followed by a reshape
  EXPECT_EQ(launches(inference("bert_base"), "transpose"), 12);  // of 60: the one after each attention
}

TEST(Workload, TheBiasOfAConvolutionIsASeparateKernel) {
  for (const Operation& each : inference("vgg16").operations) {
    if (each.kind == "conv") {
      EXPECT_EQ(each.forward.size(), 2U);
    }
  }
  for (const Operation& each : inference("resnet18").operations) {
    if (each.kind == "conv") {
      EXPECT_EQ(each.forward.size(), 1U);
    }
  }
}

TEST(Workload, GradientsAreProductsOfTheSameSize) {
  const Workload work = workload_of(built("resnet18"), 4, graph::Mode::training, Precision::fp32).value();
  int checked = 0;
  for (const Operation& each : work.operations) {
    if (each.kind != "conv") continue;
    const ProductShape& forward = each.forward[0].product;
    for (const Kernel& kernel : each.backward) {
      const ProductShape& shape = kernel.product;
      EXPECT_NEAR(shape.m * shape.n * shape.k, forward.m * forward.n * forward.k,
                  1e-6 * forward.m * forward.n * forward.k);
      ++checked;
    }
    // The first convolution needs no input gradient.
    EXPECT_EQ(each.backward.size(), each.input[1] == 3 ? 1U : 2U);
  }
  EXPECT_GT(checked, 20);
}

// 64 steps, each a separate product with all four gates.
TEST(Workload, ARecurrentLayerRunsStepByStep) {
  graph::Builder builder("test", "speech");
  const auto x = builder.input("x", "Input", graph::Shape{{64, false}, graph::Dim::batch(), {512, false}});
  builder.open("lstm", "LSTM");
  const auto y =
      builder.try_put(graph::Recurrent{.cell = graph::RecurrentCell::lstm, .hidden = 512}, {x}, {});
  ASSERT_TRUE(y);
  const auto network = builder.finish({(*y)[0]});
  ASSERT_TRUE(network);
  const Workload work = workload_of(*network, 32, graph::Mode::inference, Precision::fp32).value();
  ASSERT_EQ(work.operations.size(), 1U);
  const Kernel& kernel = work.operations[0].forward[0];
  EXPECT_EQ(kernel.launches, 64);
  EXPECT_EQ(kernel.product.m, 32);
  EXPECT_EQ(kernel.product.n, 4 * 512);
  EXPECT_EQ(kernel.product.k, 512 + 512);
}

// Traffic depends on the requested precision, not on the type in the network file.
TEST(Workload, TrafficDoesNotDependOnTheTypeInTheFile) {
  const auto relu_of = [](graph::ElementType type) {
    graph::Builder builder("test", "one");
    const auto x = builder.input("x", "Input", graph::Shape::image_of(64, 56, 56), type);
    const auto network = builder.finish({builder.add("relu", "ReLU", graph::Elementwise{}, {x})}).value();
    return workload_of(network, 8, graph::Mode::inference, Precision::fp16).value();
  };
  const Workload wide = relu_of(graph::ElementType::float32), narrow = relu_of(graph::ElementType::float16);
  EXPECT_EQ(wide.operations[0].forward[0].traffic, narrow.operations[0].forward[0].traffic);
  EXPECT_EQ(wide.operations[0].forward[0].traffic.si(), 2.0 * 2 * 8 * 64 * 56 * 56);
}

}  // namespace
}  // namespace ergon::device
