// What a file says about an operation, by small examples of the standard's words.

#include <cmath>

#include "said.h"

namespace ergon::profile::torch {
namespace {

using namespace graph;

TEST(FileNumbers, Resize) {
  const at::Tensor x = at::arange(1, 5, at::kFloat).reshape({1, 1, 4});
  const Resize twice{Shape{{1}, {1}, {8}}};
  expect_numbers(result_of(twice, {x}, {}), {1, 1, 2, 2, 3, 3, 4, 4});
  Said linear("Resize", {{"opset", 13}});
  linear.word("mode", "linear");
  expect_numbers(result_of(twice, {x}, {}, &linear), {1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4});
  linear.word("coordinate_transformation_mode", "align_corners");
  const Resize wide{Shape{{1}, {1}, {7}}};
  expect_numbers(result_of(wide, {x}, {}, &linear), {1, 1.5, 2, 2.5, 3, 3.5, 4});
  linear.word("coordinate_transformation_mode", "asymmetric");
  expect_numbers(result_of(twice, {x}, {}, &linear), {1, 1.5, 2, 2.5, 3, 3.5, 4, 4});
  Said nearest("Resize", {{"opset", 13}});
  nearest.word("mode", "nearest")
      .word("nearest_mode", "ceil")
      .word("coordinate_transformation_mode", "asymmetric");
  expect_numbers(result_of(twice, {x}, {}, &nearest), {1, 2, 2, 3, 3, 4, 4, 4});
  // Half a pixel, halves rounded down.
  Said usual("Resize", {{"opset", 13}});
  expect_numbers(result_of(Resize{Shape{{1}, {1}, {2}}}, {x}, {}, &usual), {1, 3});
}

TEST(FileNumbers, CubicResizeAgreesWithItsOwnRule) {
  const at::Tensor x = counting({1, 1, 5, 5});
  const Resize larger{Shape{{1}, {1}, {9}, {7}}};
  Said fast("Resize", {{"opset", 13}});
  fast.word("mode", "cubic");
  Said slow("Resize", {{"opset", 13}, {"cubic_coeff_a", -0.75 + 1e-9}});
  slow.word("mode", "cubic");
  const at::Tensor a = result_of(larger, {x}, {}, &fast);
  const at::Tensor b = result_of(larger, {x}, {}, &slow);
  EXPECT_LT(a.sub(b).abs().max().item<float>(), 1e-4F);
}

TEST(FileNumbers, PaddingRepeatsWhatItIsTold) {
  const at::Tensor x = at::arange(1, 4, at::kFloat).reshape({1, 3});
  const Pad pad{{0, 2}, {0, 2}};
  Said said("Pad");
  said.word("mode", "reflect");
  expect_numbers(result_of(pad, {x}, {}, &said), {3, 2, 1, 2, 3, 2, 1});
  said.word("mode", "edge");
  expect_numbers(result_of(pad, {x}, {}, &said), {1, 1, 1, 2, 3, 3, 3});
  said.word("mode", "wrap");
  expect_numbers(result_of(pad, {x}, {}, &said), {2, 3, 1, 2, 3, 1, 2});
  Said with("Pad");
  with.nothing().constant(at::ones({}).mul(9));
  expect_numbers(result_of(pad, {x}, {}, &with), {9, 9, 1, 2, 3, 9, 9});
}

TEST(FileNumbers, OperandsKeepTheOrderOfTheFile) {
  const at::Tensor x = at::arange(1, 4, at::kFloat);
  Said minus("Sub");
  minus.content.operands.clear();
  minus.constant(at::ones({}).mul(10)).flows(0);
  expect_numbers(result_of(Arithmetic{Combine::subtract, std::nullopt, true}, {x}, {}, &minus), {9, 8, 7});
  Said over("Div");
  over.content.operands.clear();
  over.constant(at::arange(2, 5, at::kFloat)).flows(0);
  expect_numbers(result_of(Arithmetic{Combine::divide, Shape{{3}}}, {x}, {}, &over), {2, 1.5, 4.0F / 3});
  Said power("Pow");
  power.constant(at::ones({}).mul(3));
  expect_numbers(result_of(Arithmetic{Combine::power, std::nullopt, true}, {x}, {}, &power), {1, 8, 27});
  Said less("Less");
  less.constant(at::ones({}).mul(2));
  expect_numbers(
      result_of(Arithmetic{Combine::compare, std::nullopt, true}, {x}, {}, &less, {ElementType::boolean})
          .to(at::kFloat),
      {1, 0, 0});
}

TEST(FileNumbers, FunctionsWithNumbersOfTheFile) {
  const at::Tensor x = at::arange(-2, 3, at::kFloat);
  const Said leaky("LeakyRelu", {{"alpha", 0.5}});
  expect_numbers(result_of(Elementwise{Function::leaky_relu}, {x}, {}, &leaky), {-1, -0.5, 0, 1, 2});
  const Said hard("HardSigmoid", {{"alpha", 0.25}});
  expect_numbers(result_of(Elementwise{Function::hard_sigmoid}, {x}, {}, &hard), {0, 0.25, 0.5, 0.75, 1});
  Said clip("Clip");
  clip.nothing().constant(at::ones({}));
  expect_numbers(result_of(Elementwise{Function::clip}, {x}, {}, &clip), {-2, -1, 0, 1, 1});
  Said sum("CumSum", {{"exclusive", 1}, {"reverse", 1}});
  sum.integers({0}, {});
  expect_numbers(result_of(Elementwise{Function::other}, {x}, {}, &sum), {2, 3, 3, 2, 0});
  const Said cosine("Cos");
  expect_numbers(result_of(Elementwise{Function::trigonometric}, {x.slice(0, 2, 3)}, {}, &cosine), {1});
}

TEST(FileNumbers, SoftmaxOfOldFilesTakesAllAxesBehind) {
  const at::Tensor x = at::zeros({1, 2, 4});
  const Said old("Softmax", {{"opset", 11}});
  const Said young("Softmax", {{"opset", 13}});
  EXPECT_NEAR(result_of(Softmax{1}, {x}, {}, &old).max().item<float>(), 0.125F, 1e-6);
  EXPECT_NEAR(result_of(Softmax{1}, {x}, {}, &young).max().item<float>(), 0.5F, 1e-6);
}

TEST(FileNumbers, Gathering) {
  const at::Tensor x = at::arange(6, at::kFloat).reshape({2, 3});
  Said columns("Gather", {{"axis", 1}});
  columns.integers({-1, 0}, {2});
  expect_numbers(result_of(Gather{Shape{{2}, {2}}}, {x}, {}, &columns), {2, 0, 5, 3});
  Said row("Gather");
  row.integers({1}, {});
  expect_numbers(result_of(Gather{Shape{{3}}}, {x}, {}, &row), {3, 4, 5});
  Said points("GatherND");
  points.integers({0, 1, 1, 2}, {2, 2});
  expect_numbers(result_of(Gather{Shape{{2}}}, {x}, {}, &points), {1, 5});
  Said shared("GatherND", {{"batch_dims", 1}});
  shared.integers({2, 0}, {2, 1});
  expect_numbers(result_of(Gather{Shape{{2}}}, {x}, {}, &shared), {2, 3});
  Said elements("GatherElements", {{"axis", 1}});
  elements.integers({0, 2, -1, 1}, {2, 2});
  expect_numbers(result_of(Gather{Shape{{2}, {2}}}, {x}, {}, &elements), {0, 2, 5, 4});
  Said scatter("ScatterND");
  scatter.integers({1}, {1, 1}).constant(at::ones({1, 3}));
  expect_numbers(result_of(Arithmetic{Combine::where}, {x}, {}, &scatter), {0, 1, 2, 1, 1, 1});
}

TEST(FileNumbers, BlocksOfPixels) {
  const at::Tensor x = at::arange(8, at::kFloat).reshape({1, 8, 1, 1});
  const Resize spread{Shape{{1}, {2}, {2}, {2}}};
  Said said("DepthToSpace");
  expect_numbers(result_of(spread, {x}, {}, &said), {0, 2, 4, 6, 1, 3, 5, 7});
  said.word("mode", "CRD");
  expect_numbers(result_of(spread, {x}, {}, &said), {0, 1, 2, 3, 4, 5, 6, 7});
  const at::Tensor y = at::arange(8, at::kFloat).reshape({1, 2, 2, 2});
  const Said back("SpaceToDepth");
  expect_numbers(result_of(Resize{Shape{{1}, {8}, {1}, {1}}}, {y}, {}, &back), {0, 4, 1, 5, 2, 6, 3, 7});
}

TEST(FileNumbers, DenseTurnsTheKernelOfTheFile) {
  const at::Tensor x = at::arange(1, 3, at::kFloat).reshape({1, 2});
  const at::Tensor kernel = at::arange(6, at::kFloat).reshape({2, 3});
  Said gemm("Gemm", {{"alpha", 2}, {"beta", 3}});
  gemm.constant(kernel).constant(at::ones({3}));
  expect_numbers(result_of(Dense{3, true}, {x}, {}, &gemm), {15, 21, 27});
  Said turned("Gemm", {{"transB", 1}});
  turned.constant(kernel.t().contiguous()).constant(at::ones({1}));
  expect_numbers(result_of(Dense{3, true}, {x}, {}, &turned), {7, 10, 13});
}

TEST(FileNumbers, SlicesGoBackwardsToo) {
  const at::Tensor x = at::arange(6, at::kFloat);
  expect_numbers(result_of(Slice{Shape{{3}}, {0}, {-1}, {INT64_MIN}, {-2}}, {x}, {}), {5, 3, 1});
  expect_numbers(result_of(Slice{Shape{{2}}, {0}, {1}, {5}, {3}}, {x}, {}), {1, 4});
}

TEST(FileNumbers, ReductionsByName) {
  const at::Tensor x = at::arange(1, 4, at::kFloat).reshape({1, 3});
  const Said sum("ReduceLogSum");
  const Said one("ReduceL1");
  const Said least("ArgMin", {{"select_last_index", 1}});
  expect_numbers(result_of(Reduce{ReduceKind::log_sum, {1}, false}, {x}, {}, &sum), {std::log(6.0F)});
  expect_numbers(result_of(Reduce{ReduceKind::norm, {1}, false}, {x}, {}, &one), {6});
  const at::Tensor same = at::ones({1, 3});
  EXPECT_EQ(result_of(Reduce{ReduceKind::arg, {1}, false}, {same}, {}, &least, {ElementType::int64})
                .item<std::int64_t>(),
            2);
}

}  // namespace
}  // namespace ergon::profile::torch
