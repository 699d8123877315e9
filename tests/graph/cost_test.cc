// Costs of single operations against numbers computed by hand.

#include "graph/cost.h"

#include <gtest/gtest.h>

#include "graph/builder.h"

namespace ergon::graph {
namespace {

Costs cost(const Operation& operation, const Shape& input, const CostOptions& question) {
  Builder b("test", "one");
  const Tensor x = b.input("x", "Input", input);
  b.add("layer", "Layer", operation, {x});
  const auto network = b.finish({});
  EXPECT_TRUE(network) << (network ? "" : network.error().message);
  const auto costs = cost_of(*network, network->nodes.back(), question);
  EXPECT_TRUE(costs) << (costs ? "" : costs.error().message);
  return *costs;
}

// 3 x 3 convolution with bias, 8 to 16 channels, 10 x 10 = 100 output positions.
const Operation kConv = Convolution{Window::square(3, 1, 1), 16, 1, true};
const Shape kImage = Shape::image_of(8, 10, 10);

TEST(Cost, ConvolutionForward) {
  const Costs costs = cost(kConv, kImage, {2, Mode::inference});
  EXPECT_EQ(costs.macs, 2 * 100 * 16 * 8 * 9);
  EXPECT_EQ(costs.flops, 2 * costs.macs + 2 * 1600);
  EXPECT_EQ(costs.parameters, 16 * 8 * 9 + 16);
  EXPECT_EQ(costs.weight_bytes, 4 * costs.parameters);
  EXPECT_EQ(costs.weight_bytes_moved, costs.weight_bytes);
  EXPECT_EQ(costs.activation_bytes_read, 4 * 2 * 800);
  EXPECT_EQ(costs.activation_bytes_written, 4 * 2 * 1600);
  EXPECT_EQ(costs.output_elements, 3200);
  EXPECT_DOUBLE_EQ(costs.intensity(),
                   static_cast<double>(costs.flops) / static_cast<double>(costs.bytes_moved()));
}

TEST(Cost, ConvolutionBackwardAddsTwoProducts) {
  const Costs forward = cost(kConv, kImage, {2, Mode::inference});
  const Costs training = cost(kConv, kImage, {2, Mode::training, true});
  const Costs first = cost(kConv, kImage, {2, Mode::training, false});
  EXPECT_EQ(training.macs, 3 * forward.macs);
  EXPECT_EQ(first.macs, 2 * forward.macs) << "nothing before the first layer learns";
  const std::int64_t x = 4 * 2 * 800;
  const std::int64_t y = 4 * 2 * 1600;
  EXPECT_EQ(training.activation_bytes_read, x + (y + x) + y);
  EXPECT_EQ(training.activation_bytes_written, y + x);
  EXPECT_EQ(first.activation_bytes_read, x + (y + x));
  EXPECT_EQ(first.activation_bytes_written, y);
  EXPECT_EQ(training.weight_bytes_moved, 3 * forward.weight_bytes);
}

TEST(Cost, GroupsDivideMacs) {
  const Costs grouped =
      cost(Convolution{Window::square(3, 1, 1), 16, 4, false}, kImage, {1, Mode::inference});
  EXPECT_EQ(grouped.macs, 100 * 16 * 2 * 9);
  EXPECT_EQ(grouped.parameters, 16 * 2 * 9);
  EXPECT_EQ(mac_type(Convolution{Window::square(3), 8, 8}, kImage), MacType::depthwise);
  EXPECT_EQ(mac_type(Convolution{Window::square(3), 16, 4}, kImage), MacType::conv);
}

TEST(Cost, DenseLayersAndNorms) {
  const Costs dense = cost(Dense{10, true}, Shape::batch_of({7, 20}), {3, Mode::inference});
  EXPECT_EQ(dense.macs, 3 * 7 * 10 * 20);
  EXPECT_EQ(dense.parameters, 210);
  EXPECT_EQ(cost(BatchNorm{}, kImage, {1}).parameters, 32);
  EXPECT_EQ(cost(BatchNorm{false, true}, kImage, {1}).parameters, 24);
  EXPECT_EQ(cost(LayerNorm{}, Shape::batch_of({7, 20}), {1}).parameters, 40);
  EXPECT_EQ(cost(GroupNorm{4}, kImage, {1}).parameters, 16);
}

TEST(Cost, ViewsMoveNoBytes) {
  const Costs view = cost(Reshape{Shape::batch_of({800})}, kImage, {4, Mode::training, true});
  EXPECT_EQ(view.bytes_moved(), 0);
  EXPECT_EQ(view.flops, 0);
  EXPECT_EQ(cost(Dropout{}, kImage, {1, Mode::inference}).bytes_moved(), 0);
  EXPECT_GT(cost(Dropout{}, kImage, {1, Mode::training, true}).bytes_moved(), 0);
}

TEST(Cost, EmbeddingReadsOnlySelectedRows) {
  Builder b("test", "embedding");
  const Tensor ids = b.input("ids", "Input", Shape::batch_of({5}), ElementType::int64);
  b.add("table", "Embedding", Embedding{1000, 8}, {ids});
  const auto network = b.finish({});
  ASSERT_TRUE(network);
  const auto costs = cost_of(*network, network->nodes.back(), {2});
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->parameters, 8000);
  EXPECT_EQ(costs->weight_bytes, 32000);
  EXPECT_EQ(costs->weight_bytes_moved, 2 * 5 * 8 * 4);
  EXPECT_EQ(costs->activation_bytes_read, 2 * 5 * 8) << "eight-byte indices";
}

TEST(Cost, RecurrentLayersUseEveryWeightEveryStep) {
  const Shape input{{10}, Dim::batch(), {6}};
  const Costs costs = cost(Recurrent{RecurrentCell::lstm, 4, 2, true}, input, {3});
  EXPECT_EQ(costs.macs, 10 * 3 * 2 * (16 * 6 + 16 * 4));
  EXPECT_EQ(costs.parameters, 2 * (16 * 6 + 16 * 4) + 2 * 32);
}

TEST(Cost, OverflowIsAnError) {
  Builder b("test", "huge");
  const Tensor x = b.input("x", "Input", Shape::image_of(1 << 20, 1 << 20, 1 << 20));
  b.add("conv", "Conv", Convolution{Window::square(1), 1 << 20}, {x});
  const auto network = b.finish({});
  ASSERT_TRUE(network);
  EXPECT_FALSE(cost_of(*network, network->nodes.back(), {1}));
}

}  // namespace
}  // namespace ergon::graph
