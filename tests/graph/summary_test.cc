#include "graph/summary.h"

#include <gtest/gtest.h>

#include "graph/builder.h"

namespace ergon::graph {
namespace {

// Two equal convolutions, one of them with its activation in the same layer, and a head for training.
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

TEST(Bill, SumsLayers) {
  const Network network = small_network();
  const auto bill = graph::bill(network, 1, Mode::inference);
  ASSERT_TRUE(bill);
  EXPECT_EQ(bill->totals.layers, 3);
  EXPECT_EQ(bill->totals.activations, 3 * 800)
      << "the convolution inside a layer with an activation does not count twice";
  EXPECT_EQ(bill->totals.sum.macs, 2 * 100 * 8 * 8 * 9);
  EXPECT_EQ(bill->totals.kernel_weights, 2 * 8 * 8 * 9);
}

TEST(Bill, TrainingHasTheAuxiliaryHead) {
  const Network network = small_network();
  const auto training = graph::bill(network, 1, Mode::training);
  ASSERT_TRUE(training);
  EXPECT_EQ(training->totals.layers, 4);
  EXPECT_EQ(training->totals.kernel_weights, 2 * 8 * 8 * 9 + 32);
  // Two products for the first convolution, three for the others.
  EXPECT_EQ(training->totals.sum.macs, 100 * (8 * 8 * 9 * 5 + 8 * 4 * 3));
}

TEST(UniqueOperations, AreCountedOnce) {
  const Network network = small_network();
  const auto inference = unique_operations(network, 2, Mode::inference);
  ASSERT_TRUE(inference);
  ASSERT_EQ(inference->size(), 2U);
  EXPECT_EQ((*inference)[0].kind, "conv");
  EXPECT_EQ((*inference)[0].count, 2);
  EXPECT_EQ((*inference)[0].each.macs, 2 * 100 * 8 * 8 * 9);
  // In training the first convolution owes its input no gradient: it is another operation.
  const auto training = unique_operations(network, 2, Mode::training);
  ASSERT_TRUE(training);
  EXPECT_EQ(training->size(), 4U);
}

TEST(Bill, RefusesBatchesThatCannotRun) {
  Network network = small_network();
  EXPECT_EQ(graph::bill(network, 0, Mode::inference).error().message,
            "a batch of 0 cannot run; the least is 1");
  network.usual_batch = 4;
  network.batch_is_fixed = true;
  EXPECT_EQ(graph::bill(network, 1, Mode::inference).error().message,
            "small runs at a batch of 4 only, which is written into its shapes");
  EXPECT_TRUE(graph::bill(network, 4, Mode::inference));
}

TEST(Bill, NamesTheLayerWhoseCountDoesNotFit) {
  const Network network = small_network();
  const auto bill = graph::bill(network, std::int64_t{1} << 50, Mode::inference);
  ASSERT_FALSE(bill);
  EXPECT_EQ(bill.error().message, "small: layer \"a\" (Conv): a count does not fit in 64 bits");
}

TEST(Builder, RemembersTheFirstFailure) {
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
