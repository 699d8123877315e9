#include "graph/infer.h"

#include <gtest/gtest.h>

#include "graph/einsum.h"

namespace ergon::graph {
namespace {

Shape shape_of(const Operation& operation, std::vector<Shape> inputs) {
  const auto result = infer(operation, inputs);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? result->front() : Shape();
}

std::string error_of(const Operation& operation, std::vector<Shape> inputs) {
  const auto result = infer(operation, inputs);
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

const Shape kFeatures = Shape::image_of(64, 56, 56);

TEST(Infer, Convolutions) {
  EXPECT_EQ(shape_of(Convolution{Window::square(7, 2, 3), 64}, {Shape::image_of(3, 224, 224)}),
            Shape::image_of(64, 112, 112));
  EXPECT_EQ(shape_of(Convolution{Window::over({3}), 8}, {Shape{Dim::batch(), {4}, {10}}}),
            (Shape{Dim::batch(), {8}, {8}}));
  TransposedConvolution twice{Window::square(2, 2), {0, 0}, 32, 1, false};
  EXPECT_EQ(shape_of(twice, {kFeatures}), Shape::image_of(32, 112, 112));
}

TEST(Infer, ErrorsNameTheShapes) {
  EXPECT_EQ(error_of(Convolution{Window::square(3), 64, 7}, {kFeatures}),
            "7 groups do not divide 64 input and 64 output channels");
  EXPECT_EQ(error_of(Convolution{Window::square(57), 64}, {kFeatures}),
            "a window of 57x57 (stride 1x1, padding 0x0 and 0x0) does not fit in (batch, 64, 56, 56)");
  EXPECT_EQ(error_of(MatrixProduct{}, {Shape{{3}, {4}}, Shape{{5}, {6}}}),
            "(3, 4) cannot be multiplied by (5, 6)");
  EXPECT_EQ(error_of(Arithmetic{}, {Shape{{3}}, Shape{{4}}}), "(3) and (4) do not broadcast");
  EXPECT_EQ(error_of(Reshape{Shape{{5}}}, {Shape{{4}}}), "(5) and (4) have different element counts");
  EXPECT_EQ(error_of(Reshape{Shape{{4}}}, {Shape{Dim::batch(), {4}}}),
            "(4) and (batch, 4) have different element counts");
  EXPECT_EQ(error_of(Concat{1}, {kFeatures, Shape::image_of(3, 28, 28)}),
            "(batch, 3, 28, 28) cannot be concatenated to (batch, 64, 56, 56) along axis 1");
  EXPECT_EQ(error_of(Split{1, {30, 30}}, {kFeatures}),
            "sizes 30x30 do not add up to axis 1 of (batch, 64, 56, 56)");
  EXPECT_EQ(error_of(Transpose{{0, 1, 1, 2}}, {kFeatures}),
            "0x1x1x2 is not a permutation of the axes of (batch, 64, 56, 56)");
  EXPECT_EQ(error_of(GroupNorm{7}, {kFeatures}),
            "7 groups do not divide the channels of (batch, 64, 56, 56)");
}

TEST(Infer, RejectsTensorsBeyond64Bits) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(error_of(Expand{Shape{{large}, {large}}}, {Shape{{1}}}),
            "a tensor must have fewer than 2^63 elements, got (1099511627776, 1099511627776)");
  EXPECT_EQ(error_of(Dense{0, false}, {Shape{{4}}}), "a dense layer needs at least one output, got (4)");
}

TEST(Infer, MatrixProductsBroadcastLeadingAxes) {
  EXPECT_EQ(shape_of(MatrixProduct{},
                     {Shape{Dim::batch(), {12}, {197}, {64}}, Shape{Dim::batch(), {12}, {64}, {197}}}),
            (Shape{Dim::batch(), {12}, {197}, {197}}));
  EXPECT_EQ(shape_of(MatrixProduct{}, {Shape{{3}, {4}}, Shape{{4}}}), (Shape{{3}}));
  EXPECT_EQ(shape_of(MatrixProduct{Shape{{2}, {3}}, true}, {Shape{Dim::batch(), {3}, {5}}}),
            (Shape{Dim::batch(), {2}, {5}}));
}

TEST(Infer, ReductionsRemoveOrKeepAxes) {
  EXPECT_EQ(shape_of(Reduce{ReduceKind::mean, {2, 3}, false}, {kFeatures}), Shape::batch_of({64}));
  EXPECT_EQ(shape_of(Reduce{ReduceKind::mean, {-1, -2}, true}, {kFeatures}), Shape::image_of(64, 1, 1));
  EXPECT_EQ(shape_of(Reduce{ReduceKind::sum, {}, false}, {Shape{{3}, {4}}}), Shape());
}

TEST(Einsum, ReadsEquations) {
  const Shape a{Dim::batch(), {5}, {7}};
  const Shape b{Dim::batch(), {7}, {3}};
  const auto product = infer_einsum("bij,bjk->bik", std::vector<Shape>{a, b});
  ASSERT_TRUE(product);
  EXPECT_EQ(product->result, (Shape{Dim::batch(), {5}, {3}}));
  Count macs = 1;
  for (const Dim& dim : product->label_extents) macs *= dim.at(2);
  EXPECT_EQ(macs.exact(), 2 * 5 * 7 * 3);

  const auto implied = infer_einsum("ij,jk", std::vector<Shape>{Shape{{5}, {7}}, Shape{{7}, {3}}});
  ASSERT_TRUE(implied);
  EXPECT_EQ(implied->result, (Shape{{5}, {3}}));
  const auto dots = infer_einsum("...ij,...jk->...ik", std::vector<Shape>{a, b});
  ASSERT_TRUE(dots);
  EXPECT_EQ(dots->result, (Shape{Dim::batch(), {5}, {3}}));
}

TEST(Einsum, RejectsInvalidEquations) {
  const std::vector<Shape> two{Shape{{5}, {7}}, Shape{{6}, {3}}};
  EXPECT_EQ(infer_einsum("ij,jk->ik", two).error().message, "label \"j\" has two extents");
  EXPECT_EQ(infer_einsum("ij->i", two).error().message, "the equation \"ij->i\" has 1 terms for 2 inputs");
  EXPECT_FALSE(infer_einsum("i?,jk->ik", two));
  EXPECT_FALSE(infer_einsum("ijk,jk->ik", two));
  EXPECT_FALSE(infer_einsum("ij,kl->m", two));
}

}  // namespace
}  // namespace ergon::graph
