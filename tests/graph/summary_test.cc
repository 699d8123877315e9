#include "graph/summary.h"

#include <gtest/gtest.h>

#include "graph/builder.h"

namespace ergon::graph {
namespace {

// Two equal convolutions, one with an activation in the same layer, and a training-only head.
Network small_network() {
  Builder b("test", "small");
  Tensor x = b.input("x", "Input", Shape::image_of(8, 10, 10));
  x = b.add("a", "Conv", Convolution{Window::square(3, 1, 1), 8}, {x});
  x = b.chain("b", "Conv", {Convolution{Window::square(3, 1, 1), 8}, Elementwise{Function::relu}}, x);
  b.set_training_only(true);
  b.add("aux", "Conv", Convolution{Window::square(1), 4}, {x});
  b.set_training_only(false);
  auto network = b.finish({x});
  EXPECT_TRUE(network);
  return std::move(*network);
}

TEST(NetworkCosts, SumsLayers) {
  const Network network = small_network();
  const auto costs = graph::network_costs(network, 1, Mode::inference);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->totals.layers, 3);
  EXPECT_EQ(costs->totals.activations, 3 * 800)
      << "the convolution inside a layer with an activation does not count twice";
  EXPECT_EQ(costs->totals.sum.macs, 2 * 100 * 8 * 8 * 9);
  EXPECT_EQ(costs->totals.kernel_weights, 2 * 8 * 8 * 9);
}

TEST(NetworkCosts, TrainingIncludesTheAuxiliaryHead) {
  const Network network = small_network();
  const auto training = graph::network_costs(network, 1, Mode::training);
  ASSERT_TRUE(training);
  EXPECT_EQ(training->totals.layers, 4);
  EXPECT_EQ(training->totals.kernel_weights, 2 * 8 * 8 * 9 + 32);
  // Training: two products for the first convolution, three for each of the others.
  EXPECT_EQ(training->totals.sum.macs, 100 * (8 * 8 * 9 * 5 + 8 * 4 * 3));
}

TEST(UniqueOperations, MergesEqualOperations) {
  const Network network = small_network();
  const auto inference = unique_operations(network, 2, Mode::inference);
  ASSERT_TRUE(inference);
  ASSERT_EQ(inference->size(), 2U);
  EXPECT_EQ((*inference)[0].kind, "conv");
  EXPECT_EQ((*inference)[0].count, 2);
  EXPECT_EQ((*inference)[0].each.macs, 2 * 100 * 8 * 8 * 9);
  // In training the first convolution computes no input gradient, so it is a distinct operation.
  const auto training = unique_operations(network, 2, Mode::training);
  ASSERT_TRUE(training);
  EXPECT_EQ(training->size(), 4U);
}

TEST(NetworkCosts, RejectsInvalidBatches) {
  Network network = small_network();
  EXPECT_EQ(graph::network_costs(network, 0, Mode::inference).error().message,
            "invalid batch 0: expected at least 1");
  network.default_batch = 4;
  network.batch_is_fixed = true;
  EXPECT_EQ(graph::network_costs(network, 1, Mode::inference).error().message,
            "small runs at batch 4 only: its shapes fix the batch");
  EXPECT_TRUE(graph::network_costs(network, 4, Mode::inference));
}

TEST(NetworkCosts, OverflowNamesTheLayer) {
  const Network network = small_network();
  const auto costs = graph::network_costs(network, std::int64_t{1} << 50, Mode::inference);
  ASSERT_FALSE(costs);
  EXPECT_EQ(costs.error().message, "small: layer \"a\" (Conv): a count does not fit in 64 bits");
}

TEST(Builder, ReturnsTheFirstError) {
  Builder b("test", "broken");
  Tensor x = b.input("x", "Input", Shape::image_of(8, 10, 10));
  x = b.add("big", "Conv", Convolution{Window::square(11), 8}, {x});
  x = b.add("after", "Dense", Dense{10, true}, {x});
  EXPECT_EQ(
      b.finish({x}).error().message,
      "broken: layer \"big\" (Conv): a window of 11x11 (stride 1x1, padding 0x0 and 0x0) does not fit in "
      "(batch, 8, 10, 10)");
}

}  // namespace
}  // namespace ergon::graph
