// The table of FLOPs and traffic in docs/costs.md, row by row.

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/cost.h"

namespace ergon::graph {
namespace {

constexpr std::int64_t kElements = 4 * 6 * 6;
Costs cost(const Operation& operation, const CostOptions& question = {}, std::size_t inputs = 1) {
  Builder b("test", "one");
  const Tensor x = b.input("x", "Input", Shape::image_of(4, 6, 6));
  b.add("layer", "Layer", operation, std::vector<Tensor>(inputs, x));
  const auto network = b.finish({});
  EXPECT_TRUE(network) << (network ? "" : network.error().message);
  return *cost_of(*network, network->nodes.back(), question);
}

TEST(Flops, ElementwiseFunctions) {
  const std::pair<Function, std::int64_t> table[] = {
      {Function::relu, 1},       {Function::sqrt, 1},    {Function::exp, 1},          {Function::relu6, 2},
      {Function::leaky_relu, 2}, {Function::clip, 2},    {Function::hard_sigmoid, 3}, {Function::elu, 3},
      {Function::softplus, 3},   {Function::sigmoid, 4}, {Function::hard_swish, 4},   {Function::swish, 5},
      {Function::tanh, 5},       {Function::gelu, 5},    {Function::mish, 7}};
  for (const auto& [function, flops] : table) {
    EXPECT_EQ(cost(Elementwise{function}).flops, flops * kElements) << name_of(function);
  }
}

TEST(Flops, OtherOperations) {
  EXPECT_EQ(cost(Arithmetic{Combine::add}, {}, 2).flops, kElements);
  EXPECT_EQ(cost(Arithmetic{Combine::add}, {}, 3).flops, 2 * kElements);
  EXPECT_EQ(cost(Arithmetic{Combine::multiply, std::nullopt, true}).flops, kElements);
  EXPECT_EQ(cost(BatchNorm{}).flops, 2 * kElements);
  EXPECT_EQ(cost(GroupNorm{2}).flops, 7 * kElements);
  EXPECT_EQ(cost(LayerNorm{}).flops, 7 * kElements);
  EXPECT_EQ(cost(LocalResponseNorm{5}).flops, 13 * kElements);
  EXPECT_EQ(cost(Softmax{}).flops, 5 * kElements);
  EXPECT_EQ(cost(Pool{PoolKind::max, Window::square(2, 2)}).flops, kElements / 4 * 4);
  EXPECT_EQ(cost(Pool{PoolKind::average, Window::square(3, 1, 1)}).flops, kElements * 9);
  EXPECT_EQ(cost(AdaptivePool{PoolKind::average, {1, 1}}).flops, kElements);
  EXPECT_EQ(cost(Reduce{ReduceKind::mean, {2, 3}, false}).flops, kElements);
  EXPECT_EQ(cost(Resize{Shape::image_of(4, 12, 12)}).flops, 4 * kElements);
  EXPECT_EQ(cost(Transpose{{0, 2, 3, 1}}).flops, 0);
  EXPECT_EQ(cost(Concat{1}, {}, 2).flops, 0);
  // Two FLOPs per MAC, one per bias, five per standardized weight.
  EXPECT_EQ(cost(Convolution{Window::square(1), 8, 1, true}).flops, 36 * 8 * (2 * 4 + 1));
  EXPECT_EQ(cost(Convolution{Window::square(1), 8, 1, false, true}).flops, 36 * 8 * 2 * 4 + 5 * 32);
}

// Backward: FLOPs and bytes of operations without a product. x and y are the bytes of input and output.
TEST(Flops, Backward) {
  const CostOptions training{1, Mode::training, true};
  const std::int64_t x = 4 * kElements;

  const Costs relu = cost(Elementwise{Function::relu}, training);
  EXPECT_EQ(relu.flops, 3 * kElements);
  EXPECT_EQ(relu.activation_bytes_read, x + (x + x)) << "forward; gradient and input again";
  EXPECT_EQ(relu.activation_bytes_written, x + x);

  const Costs add = cost(Arithmetic{Combine::add}, training, 2);
  EXPECT_EQ(add.activation_bytes_read, 2 * x + x) << "a sum passes its gradient on";
  EXPECT_EQ(add.activation_bytes_written, x + 2 * x);

  const Costs multiply = cost(Arithmetic{Combine::multiply}, training, 2);
  EXPECT_EQ(multiply.activation_bytes_read, 2 * x + (x + 2 * x));

  const Costs norm = cost(BatchNorm{}, training);
  EXPECT_EQ(norm.flops, 7 * kElements + 2 * 7 * kElements);
  EXPECT_EQ(norm.activation_bytes_read, 2 * x + 2 * (x + x)) << "statistics first, then the numbers";
  EXPECT_EQ(norm.weight_bytes_moved, 4 * (16 + 8)) << "all forward, scale and bias backward";

  const Costs dropout = cost(Dropout{}, training);
  EXPECT_EQ(dropout.flops, 2 * kElements);
  EXPECT_EQ(dropout.activation_bytes_written, x + kElements + x) << "a byte of mask for each element";
  EXPECT_EQ(dropout.activation_bytes_read, x + x + kElements);

  const Costs pool = cost(Pool{PoolKind::max, Window::square(2, 2)}, training);
  EXPECT_EQ(pool.activation_bytes_read, x + (x / 4 + x));
  EXPECT_EQ(pool.activation_bytes_written, x / 4 + x);
}

TEST(Flops, BackwardOfAProductOfActivations) {
  Builder b("test", "attention");
  const Tensor q = b.input("q", "Input", Shape::batch_of({5, 8}));
  const Tensor k = b.input("k", "Input", Shape::batch_of({8, 5}));
  b.add("scores", "MatMul", MatrixProduct{}, {q, k});
  const auto network = b.finish({});
  ASSERT_TRUE(network);
  const auto costs = cost_of(*network, network->nodes.back(), {1, Mode::training, true});
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->macs, 3 * 5 * 5 * 8);
  const std::int64_t in = 4 * 2 * 40;
  const std::int64_t out = 4 * 25;
  EXPECT_EQ(costs->activation_bytes_read, in + 2 * out + in);
  EXPECT_EQ(costs->activation_bytes_written, out + in);
}

}  // namespace
}  // namespace ergon::graph
