#include "systolic/array/array.h"

#include <gtest/gtest.h>

namespace ergon::systolic {
namespace {

TEST(ArrayText, IsRowsTimesColumns) {
  EXPECT_EQ(*parse_array("64x32"), (Array{64, 32}));
  EXPECT_EQ(to_text(Array{64, 32}), "64x32");
  EXPECT_EQ(parse_array("1048576x1")->rows, kMaxArraySide);
  for (const char* text : {"", "64", "64x", "x64", "64x64x64", "0x4", "-1x4", "4x1048577", "4 x 4", "4X4"})
    EXPECT_FALSE(parse_array(text)) << text;
}

TEST(ScratchpadsText, IsInKibibytes) {
  const auto scratchpads = parse_scratchpads("1/2/3");
  ASSERT_TRUE(scratchpads);
  EXPECT_EQ(*scratchpads, (Scratchpads{1024, 2048, 3072}));
  EXPECT_EQ(to_text(*scratchpads), "1/2/3");
  EXPECT_EQ(to_text(Scratchpads{512, 1024, 1536}), "0.5/1/1.5");
  for (const char* text : {"", "1/2", "1/2/3/4", "0/1/1", "1//1", "a/b/c", "1/1/1073741825"})
    EXPECT_FALSE(parse_scratchpads(text)) << text;
}

}  // namespace
}  // namespace ergon::systolic
