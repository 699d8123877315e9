#include "systolic/array/geometry.h"

#include <set>

#include <gtest/gtest.h>

#include "systolic/random_layer.h"

namespace ergon::systolic {
namespace {

TEST(Geometry, OfAConvolutionAndOfAProduct) {
  const auto conv = geometry_of({"c", 15, 13, 5, 3, 24, 33, 2, 2});
  ASSERT_TRUE(conv);
  EXPECT_EQ(conv->positions, 6 * 6);
  EXPECT_EQ(conv->taps, 5 * 3 * 24);
  EXPECT_EQ(conv->macs(), 36 * 360 * 33);
  EXPECT_FALSE(conv->has_missing());
  EXPECT_TRUE(conv->shares_inputs());

  const auto product = geometry_of(as_convolution({"g", 7, 5, 3}));
  ASSERT_TRUE(product);
  EXPECT_EQ(product->positions, 7);
  EXPECT_EQ(product->filters, 5);
  EXPECT_EQ(product->taps, 3);
  EXPECT_FALSE(product->shares_inputs());
  EXPECT_EQ(product->distinct_inputs(), 21);
}

TEST(Geometry, CountsMissingTapsAndDistinctInputs) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const RandomCase c = random_case(random);
    const auto g = geometry_of(c.row);
    ASSERT_TRUE(g) << c;
    std::set<std::int64_t> words;
    std::int64_t missing = 0;
    for (std::int64_t position = 0; position < g->positions; ++position) {
      for (std::int64_t tap = 0; tap < g->taps; ++tap) {
        const std::int64_t row =
            position / g->output_width * g->stride_height + tap / g->words_per_filter_row();
        const std::int64_t column =
            position % g->output_width * g->stride_width + tap / g->channels % g->filter_width;
        const bool outside = row >= g->input_height || column >= g->input_width;
        ASSERT_EQ(g->is_missing(position, tap), outside) << c;
        missing += outside ? 1 : 0;
        if (!outside) words.insert((row * g->input_width + column) * g->channels + tap % g->channels);
      }
      ASSERT_EQ(g->missing_before(position + 1, g->taps), missing) << c;
    }
    ASSERT_EQ(g->distinct_inputs(), static_cast<std::int64_t>(words.size())) << c;
    const std::int64_t reads = g->positions * g->taps - missing;
    ASSERT_EQ(g->shares_inputs(), reads > g->distinct_inputs()) << c;
  }
}

TEST(Geometry, RejectsImpossibleSizes) {
  EXPECT_EQ(geometry_of({"k", 3, 3, 5, 1, 1, 1, 1, 1}).error().message,
            "layer \"k\": a filter of 5 x 1 does not fit in 3 x 3");
  EXPECT_EQ(geometry_of({"s", 3, 3, 1, 1, 1, 1, 0, 1}).error().message, "layer \"s\": a size of 0");
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(geometry_of({"h", huge, huge, 1, 1, 1, 1, 1, 1}).error().kind, Errc::invalid_input);
  EXPECT_FALSE(
      geometry_of({"m", std::int64_t{1} << 24, std::int64_t{1} << 24, 1, 1, 1, std::int64_t{1} << 20, 1, 1}));
}

}  // namespace
}  // namespace ergon::systolic
