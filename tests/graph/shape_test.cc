#include "graph/shape.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "graph/element_type.h"

namespace ergon::graph {
namespace {

using Sizes = std::vector<std::int64_t>;

TEST(Shape, HasASymbolicBatch) {
  const Shape image = Shape::image_of(64, 56, 48);
  EXPECT_EQ(to_text(image), "(batch, 64, 56, 48)");
  EXPECT_EQ(image.elements(1).exact(), 64 * 56 * 48);
  EXPECT_EQ(image.elements(8).exact(), 8 * 64 * 56 * 48);
  EXPECT_EQ(image.at(2), (Sizes{2, 64, 56, 48}));
}

TEST(Shape, ShowsImagesAsHeightWidthChannels) {
  EXPECT_EQ(Shape::image_of(64, 56, 48).per_sample(), (Sizes{56, 48, 64}));
  EXPECT_EQ(Shape::image_of(64, 56, 48).as_plain().per_sample(), (Sizes{64, 56, 48}));
  EXPECT_EQ((Shape{{197}, Dim::batch(), {768}}.per_sample()), (Sizes{197, 768}));
  EXPECT_EQ((Shape{{12, true}, {197}, {64}}.per_sample()), (Sizes{12, 197, 64}));
  EXPECT_EQ(to_text(Shape{{12, true}, {197}}), "(12*batch, 197)");
}

TEST(Shape, BroadcastsExtentsOfOne) {
  const auto together = broadcast(Shape{Dim::batch(), {197}, {768}}, Shape{{1}, {197}, {768}});
  ASSERT_TRUE(together);
  EXPECT_EQ(*together, (Shape{Dim::batch(), {197}, {768}}));
  EXPECT_EQ(*broadcast(Shape{{3}, {1}}, Shape{{4}}), (Shape{{3}, {4}}));
  EXPECT_EQ(*broadcast(Shape{}, Shape{{4}}), (Shape{{4}}));
  EXPECT_FALSE(broadcast(Shape{{3}}, Shape{{4}}));
  EXPECT_FALSE(broadcast(Shape{Dim::batch()}, Shape{{4}})) << "a batch is not any number";
}

TEST(Shape, CountsAxesFromBothEnds) {
  const Shape shape = Shape::batch_of({3, 4});
  EXPECT_EQ(shape.axis(-1), 2U);
  EXPECT_EQ(shape.axis(0), 0U);
  EXPECT_FALSE(shape.axis(3));
  EXPECT_FALSE(shape.axis(-4));
}

TEST(ElementType, HasASize) {
  EXPECT_EQ(bytes_of(10, ElementType::float32).exact(), 40);
  EXPECT_EQ(bytes_of(10, ElementType::bfloat16).exact(), 20);
  EXPECT_EQ(bytes_of(5, ElementType::int4).exact(), 3) << "two to a byte, rounded up";
  EXPECT_TRUE(bytes_of(std::int64_t{1} << 62, ElementType::float64).overflowed());
}

TEST(ElementType, HasAName) {
  constexpr std::array<std::string_view, 17> kNames{
      "float64", "float32", "float16", "bfloat16", "float8", "int64", "int32",   "int16", "int8",
      "int4",    "uint64",  "uint32",  "uint16",   "uint8",  "uint4", "boolean", "text"};
  for (std::size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(name_of(static_cast<ElementType>(i)), kNames[i]);
}

}  // namespace
}  // namespace ergon::graph
