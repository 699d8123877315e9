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

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({{"t", Align::right}, {"x"}});
  table.row({"20 \u00b5s", "a"});
  table.row({"200 ms", "b"});
  EXPECT_EQ(table.text({}), "     t  x\n------  -\n 20 \u00b5s  a\n200 ms  b\n");
}

TEST(TextTable, BoldHeadingReplacesTheLineOfDashes) {
  TextTable table({{"a"}});
  table.row({"1"});
  EXPECT_EQ(table.text({.bold = true}), "\x1b[1ma\x1b[0m\n1\n");
}

TextTable wide_table() {
  TextTable table(
      {{"network"}, {"time", Align::right, 1}, {"energy", Align::right}, {"note", Align::left, 2}});
  table.row({"resnet50", "3.749 ms", "1.2 J", "measured at the default clock"});
  return table;
}

TEST(TextTable, DropsTheHighestRankFirst) {
  EXPECT_EQ(wide_table().text({.width = 60}),
            "network       time  energy  note\n"
            "--------  --------  ------  -----------------------------\n"
            "resnet50  3.749 ms   1.2 J  measured at the default clock\n");
  EXPECT_EQ(wide_table().text({.width = 50}),
            "network       time  energy\n"
            "--------  --------  ------\n"
            "resnet50  3.749 ms   1.2 J\n"
            "(not shown: note; --wide shows all columns)\n");
}

TEST(TextTable, WrapsTheNamesOfDroppedColumns) {
  EXPECT_EQ(wide_table().text({.width = 24}),
            "network   energy\n"
            "--------  ------\n"
            "resnet50   1.2 J\n"
            "(not shown: time, note;\n"
            " --wide shows all\n"
            " columns)\n");
}

TEST(TextTable, WrapsLongTextsBeforeItDropsEssentialColumns) {
  TextTable table({{"claim"}, {"here", Align::right}, {"holds"}});
  table.row({"energy per sample is lowest at a middle clock", "1.2 J", "yes"});
  table.row({"short", "7 J", "no"});
  EXPECT_EQ(table.text({.width = 36}),
            "claim                    here  holds\n"
            "----------------------  -----  -----\n"
            "energy per sample is    1.2 J  yes\n"
            "lowest at a middle\n"
            "clock\n"
            "short                     7 J  no\n");
  EXPECT_EQ(table.text({.width = 24}),
            "claim               here\n"
            "-----------------  -----\n"
            "energy per sample  1.2 J\n"
            "is lowest at a\n"
            "middle clock\n"
            "short                7 J\n"
            "(not shown: holds;\n"
            " --wide shows all\n"
            " columns)\n");
}

TEST(TextTable, KeepsTheFirstColumn) {
  const std::string text = wide_table().text({.width = 5});
  EXPECT_TRUE(text.starts_with("network\n--------\nresnet50\n(not\n")) << text;
}

TEST(TextTable, IsUnlimitedWithoutAWidth) {
  EXPECT_EQ(wide_table().text({}).find("not shown"), std::string::npos);
}

}  // namespace
}  // namespace ergon::report
