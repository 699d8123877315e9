#include "report/wrapped_text.h"

#include <gtest/gtest.h>

namespace ergon::report {
namespace {

TEST(DisplayWidth, CountsCharactersAndNoEscapeSequences) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("20 \u00b5s"), 5u);
  EXPECT_EQ(display_width("\x1b[1mname\x1b[0m"), 4u);
}

TEST(WrappedWords, BreaksBetweenWords) {
  EXPECT_EQ(wrapped_words("one two three", 80), "one two three\n");
  EXPECT_EQ(wrapped_words("one two three", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped_words("one two three", 9, "a: ", 3), "a: one\n   two\n   three\n");
}

TEST(WrappedWords, NeverCutsAWord) {
  EXPECT_EQ(wrapped_words("a /long/path/of/a/file b", 8), "a\n/long/path/of/a/file\nb\n");
}

TEST(WrappedReport, KeepsLinesThatFit) {
  const std::string text = "title\n\n  a    b   c\n";
  EXPECT_EQ(wrapped_report(text, 20), text);
  EXPECT_EQ(wrapped_report("no newline", 20), "no newline");
  EXPECT_EQ(wrapped_report("", 20), "");
}

TEST(WrappedReport, ContinuesBelowTheLastColumn) {
  EXPECT_EQ(wrapped_report("traffic  9 MiB  weights 1 MiB, activations 8 MiB\n", 34),
            "traffic  9 MiB  weights 1 MiB,\n"
            "                activations 8 MiB\n");
  EXPECT_EQ(wrapped_report("latency   3.749 ms per iteration\nnext\n", 24),
            "latency   3.749 ms per\n"
            "          iteration\n"
            "next\n");
}

TEST(WrappedReport, ContinuesBelowTheIndent) {
  EXPECT_EQ(wrapped_report("  one two three", 10), "  one two\n  three");
  EXPECT_EQ(wrapped_report("- one two three\n", 10), "- one two\n  three\n");
  EXPECT_EQ(wrapped_report("one two three\n", 10), "one two\nthree\n");
}

TEST(WrappedReport, IgnoresALabelThatIsTooWideForWordsBelowIt) {
  EXPECT_EQ(wrapped_report("a label of many words  one two\n", 26), "a label of many words  one\ntwo\n");
}

TEST(WrappedReport, KeepsTablesAndPlots) {
  const std::string row = "resnet50  12.5 mJ  3.7 ms  one two three\n";
  EXPECT_EQ(wrapped_report(row, 20), row);
  const std::string plot = "      |      ..:#    -#-\n";
  EXPECT_EQ(wrapped_report(plot, 20), plot);
}

}  // namespace
}  // namespace ergon::report
