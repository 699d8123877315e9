#include "report/text_table.h"

#include <gtest/gtest.h>

namespace ergon::report {
namespace {

TEST(TextTable, AlignsColumnsAndTrimsLines) {
  TextTable table({{"name"}, {"power", Align::right}, {"note"}});
  table.row({"resnet50", "505.5 W", ""});
  table.row({"vgg", "7 W", "hot"});
  EXPECT_EQ(table.text({}),
            "name        power  note\n"
            "--------  -------  ----\n"
            "resnet50  505.5 W\n"
            "vgg           7 W  hot\n");
}

TEST(TextTable, CountsLettersNotBytes) {
  TextTable table({{"t", Align::right}, {"x"}});
  table.row({"20 \u00b5s", "a"});
  table.row({"200 ms", "b"});
  EXPECT_EQ(table.text({}), "     t  x\n------  -\n 20 \u00b5s  a\n200 ms  b\n");
}

TEST(TextTable, BoldHeadingTakesThePlaceOfTheLine) {
  TextTable table({{"a"}});
  table.row({"1"});
  EXPECT_EQ(table.text({.bold = true}), "\x1b[1ma\x1b[0m\n1\n");
}

}  // namespace
}  // namespace ergon::report
