// Attributes of operators in files, with small examples from the ONNX standard.

#include <cmath>

#include "file_node.h"

namespace ergon::profile::torch {
namespace {

using namespace graph;

TEST(FileAttributes, Resize) {
  const at::Tensor x = at::arange(1, 5, at::kFloat).reshape({1, 1, 4});
  const Resize twice{Shape{{1}, {1}, {8}}};
  expect_numbers(result_of(twice, {x}, {}), {1, 1, 2, 2, 3, 3, 4, 4});
  FileNode linear("Resize", {{"opset", 13}});
  linear.word("mode", "linear");
  expect_numbers(result_of(twice, {x}, {}, &linear), {1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4});
  linear.word("coordinate_transformation_mode", "align_corners");
  const Resize wide{Shape{{1}, {1}, {7}}};
  expect_numbers(result_of(wide, {x}, {}, &linear), {1, 1.5, 2, 2.5, 3, 3.5, 4});
  linear.word("coordinate_transformation_mode", "asymmetric");
  expect_numbers(result_of(twice, {x}, {}, &linear), {1, 1.5, 2, 2.5, 3, 3.5, 4, 4});
  FileNode nearest("Resize", {{"opset", 13}});
  nearest.word("mode", "nearest")
      .word("nearest_mode", "ceil")
      .word("coordinate_transformation_mode", "asymmetric");
  expect_numbers(result_of(twice, {x}, {}, &nearest), {1, 2, 2, 3, 3, 4, 4, 4});
  // half_pixel, halves rounded down.
  FileNode usual("Resize", {{"opset", 13}});
  expect_numbers(result_of(Resize{Shape{{1}, {1}, {2}}}, {x}, {}, &usual), {1, 3});
}

TEST(FileAttributes, CubicResizeFollowsItsDefinition) {
  const at::Tensor x = counting({1, 1, 5, 5});
  const Resize larger{Shape{{1}, {1}, {9}, {7}}};
  FileNode fast("Resize", {{"opset", 13}});
  fast.word("mode", "cubic");
  FileNode slow("Resize", {{"opset", 13}, {"cubic_coeff_a", -0.75 + 1e-9}});
  slow.word("mode", "cubic");
  const at::Tensor a = result_of(larger, {x}, {}, &fast);
  const at::Tensor b = result_of(larger, {x}, {}, &slow);
  EXPECT_LT(a.sub(b).abs().max().item<float>(), 1e-4F);
}

TEST(FileAttributes, PaddingModes) {
  const at::Tensor x = at::arange(1, 4, at::kFloat).reshape({1, 3});
  const Pad pad{{0, 2}, {0, 2}};
  FileNode file_node("Pad");
  file_node.word("mode", "reflect");
  expect_numbers(result_of(pad, {x}, {}, &file_node), {3, 2, 1, 2, 3, 2, 1});
  file_node.word("mode", "edge");
  expect_numbers(result_of(pad, {x}, {}, &file_node), {1, 1, 1, 2, 3, 3, 3});
  file_node.word("mode", "wrap");
  expect_numbers(result_of(pad, {x}, {}, &file_node), {2, 3, 1, 2, 3, 1, 2});
  FileNode with("Pad");
  with.omitted().constant(at::ones({}).mul(9));
  expect_numbers(result_of(pad, {x}, {}, &with), {9, 9, 1, 2, 3, 9, 9});
}

TEST(FileAttributes, OperandsKeepTheOrderOfTheFile) {
  const at::Tensor x = at::arange(1, 4, at::kFloat);
  FileNode minus("Sub");
  minus.content.operands.clear();
  minus.constant(at::ones({}).mul(10)).input(0);
  expect_numbers(result_of(Arithmetic{Combine::subtract, std::nullopt, true}, {x}, {}, &minus), {9, 8, 7});
  FileNode over("Div");
  over.content.operands.clear();
  over.constant(at::arange(2, 5, at::kFloat)).input(0);
  expect_numbers(result_of(Arithmetic{Combine::divide, Shape{{3}}}, {x}, {}, &over), {2, 1.5, 4.0F / 3});
  FileNode power("Pow");
  power.constant(at::ones({}).mul(3));
  expect_numbers(result_of(Arithmetic{Combine::power, std::nullopt, true}, {x}, {}, &power), {1, 8, 27});
  FileNode less("Less");
  less.constant(at::ones({}).mul(2));
  expect_numbers(
      result_of(Arithmetic{Combine::compare, std::nullopt, true}, {x}, {}, &less, {ElementType::boolean})
          .to(at::kFloat),
      {1, 0, 0});
}

TEST(FileAttributes, FunctionsWithAttributes) {
  const at::Tensor x = at::arange(-2, 3, at::kFloat);
  const FileNode leaky("LeakyRelu", {{"alpha", 0.5}});
  expect_numbers(result_of(Elementwise{Function::leaky_relu}, {x}, {}, &leaky), {-1, -0.5, 0, 1, 2});
  const FileNode hard("HardSigmoid", {{"alpha", 0.25}});
  expect_numbers(result_of(Elementwise{Function::hard_sigmoid}, {x}, {}, &hard), {0, 0.25, 0.5, 0.75, 1});
  FileNode clip("Clip");
  clip.omitted().constant(at::ones({}));
  expect_numbers(result_of(Elementwise{Function::clip}, {x}, {}, &clip), {-2, -1, 0, 1, 1});
  FileNode sum("CumSum", {{"exclusive", 1}, {"reverse", 1}});
  sum.integers({0}, {});
  expect_numbers(result_of(Elementwise{Function::other}, {x}, {}, &sum), {2, 3, 3, 2, 0});
  const FileNode cosine("Cos");
  expect_numbers(result_of(Elementwise{Function::trigonometric}, {x.slice(0, 2, 3)}, {}, &cosine), {1});
}

TEST(FileAttributes, SoftmaxOfOldOpsetsFlattensAxes) {
  const at::Tensor x = at::zeros({1, 2, 4});
  const FileNode old("Softmax", {{"opset", 11}});
  const FileNode young("Softmax", {{"opset", 13}});
  EXPECT_NEAR(result_of(Softmax{1}, {x}, {}, &old).max().item<float>(), 0.125F, 1e-6);
  EXPECT_NEAR(result_of(Softmax{1}, {x}, {}, &young).max().item<float>(), 0.5F, 1e-6);
}

TEST(FileAttributes, Gather) {
  const at::Tensor x = at::arange(6, at::kFloat).reshape({2, 3});
  FileNode columns("Gather", {{"axis", 1}});
  columns.integers({-1, 0}, {2});
  expect_numbers(result_of(Gather{Shape{{2}, {2}}}, {x}, {}, &columns), {2, 0, 5, 3});
  FileNode row("Gather");
  row.integers({1}, {});
  expect_numbers(result_of(Gather{Shape{{3}}}, {x}, {}, &row), {3, 4, 5});
  FileNode points("GatherND");
  points.integers({0, 1, 1, 2}, {2, 2});
  expect_numbers(result_of(Gather{Shape{{2}}}, {x}, {}, &points), {1, 5});
  FileNode shared("GatherND", {{"batch_dims", 1}});
  shared.integers({2, 0}, {2, 1});
  expect_numbers(result_of(Gather{Shape{{2}}}, {x}, {}, &shared), {2, 3});
  FileNode elements("GatherElements", {{"axis", 1}});
  elements.integers({0, 2, -1, 1}, {2, 2});
  expect_numbers(result_of(Gather{Shape{{2}, {2}}}, {x}, {}, &elements), {0, 2, 5, 4});
  FileNode scatter("ScatterND");
  scatter.integers({1}, {1, 1}).constant(at::ones({1, 3}));
  expect_numbers(result_of(Arithmetic{Combine::where}, {x}, {}, &scatter), {0, 1, 2, 1, 1, 1});
}

TEST(FileAttributes, DepthToSpace) {
  const at::Tensor x = at::arange(8, at::kFloat).reshape({1, 8, 1, 1});
  const Resize spread{Shape{{1}, {2}, {2}, {2}}};
  FileNode file_node("DepthToSpace");
  expect_numbers(result_of(spread, {x}, {}, &file_node), {0, 2, 4, 6, 1, 3, 5, 7});
  file_node.word("mode", "CRD");
  expect_numbers(result_of(spread, {x}, {}, &file_node), {0, 1, 2, 3, 4, 5, 6, 7});
  const at::Tensor y = at::arange(8, at::kFloat).reshape({1, 2, 2, 2});
  const FileNode back("SpaceToDepth");
  expect_numbers(result_of(Resize{Shape{{1}, {8}, {1}, {1}}}, {y}, {}, &back), {0, 4, 1, 5, 2, 6, 3, 7});
}

TEST(FileAttributes, DenseTransposesTheKernel) {
  const at::Tensor x = at::arange(1, 3, at::kFloat).reshape({1, 2});
  const at::Tensor kernel = at::arange(6, at::kFloat).reshape({2, 3});
  FileNode gemm("Gemm", {{"alpha", 2}, {"beta", 3}});
  gemm.constant(kernel).constant(at::ones({3}));
  expect_numbers(result_of(Dense{3, true}, {x}, {}, &gemm), {15, 21, 27});
  FileNode turned("Gemm", {{"transB", 1}});
  turned.constant(kernel.t().contiguous()).constant(at::ones({1}));
  expect_numbers(result_of(Dense{3, true}, {x}, {}, &turned), {7, 10, 13});
}

TEST(FileAttributes, SlicesWithNegativeSteps) {
  const at::Tensor x = at::arange(6, at::kFloat);
  expect_numbers(result_of(Slice{Shape{{3}}, {0}, {-1}, {INT64_MIN}, {-2}}, {x}, {}), {5, 3, 1});
  expect_numbers(result_of(Slice{Shape{{2}}, {0}, {1}, {5}, {3}}, {x}, {}), {1, 4});
}

TEST(FileAttributes, ReductionsByName) {
  const at::Tensor x = at::arange(1, 4, at::kFloat).reshape({1, 3});
  const FileNode sum("ReduceLogSum");
  const FileNode one("ReduceL1");
  const FileNode least("ArgMin", {{"select_last_index", 1}});
  expect_numbers(result_of(Reduce{ReduceKind::log_sum, {1}, false}, {x}, {}, &sum), {std::log(6.0F)});
  expect_numbers(result_of(Reduce{ReduceKind::norm, {1}, false}, {x}, {}, &one), {6});
  const at::Tensor same = at::ones({1, 3});
  EXPECT_EQ(result_of(Reduce{ReduceKind::arg, {1}, false}, {same}, {}, &least, {ElementType::int64})
                .item<std::int64_t>(),
            2);
}

}  // namespace
}  // namespace ergon::profile::torch
