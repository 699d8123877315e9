#include "base/text.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

TEST(Text, TrimSplitLower) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(lower("MHz"), "mhz");
}

TEST(Text, NumbersAreTheWholeText) {
  EXPECT_EQ(parse_double("-1.5e3"), -1500);
  EXPECT_EQ(parse_double("+2"), 2);
  EXPECT_EQ(parse_int64("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"", " 1", "1 ", "1x", "nan", "inf", "-inf", "1e999", "0x1", "+", "+-1", "++1"}) {
    EXPECT_FALSE(parse_double(text)) << text;
  }
  for (const char* text : {"", "1.0", "9223372036854775808", "1e3", " 1", "+-1"})
    EXPECT_FALSE(parse_int64(text)) << text;
}

TEST(Text, PrintableStaysOnOneLineAndCutsBetweenLetters) {
  EXPECT_EQ(printable("plain"), "plain");
  EXPECT_EQ(printable("a\nb\x1b[1m"), "a?b?[1m");
  EXPECT_EQ(printable("12345", 5), "12345");
  EXPECT_EQ(printable("123456", 5), "12345...");
  EXPECT_EQ(printable("1234\u00e9xyz", 5), "1234...");
}

TEST(Text, CountedAddsThePluralS) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
}

TEST(Text, ShortestTextReadsBack) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(1e22), "1e+22");
  EXPECT_EQ(shortest_text(100000), "100000");
  EXPECT_EQ(shortest_text(-0.00012), "-0.00012");
  EXPECT_EQ(shortest_text(1e-7), "1e-07");
  EXPECT_EQ(parse_double("1e-400"), 0.0);
  EXPECT_EQ(parse_double(shortest_text(0.1 + 0.2)), 0.1 + 0.2);
}

TEST(Text, NearestNameAcceptsTyposButNotOtherWords) {
  const std::vector<std::string> commands{"table", "sweep", "simulate", "fleet"};
  EXPECT_EQ(nearest_name("tabel", commands), "table");
  EXPECT_EQ(nearest_name("SWEEP", commands), "sweep");
  EXPECT_EQ(nearest_name("sim", commands), "simulate");
  EXPECT_EQ(nearest_name("flet", commands), "fleet");
  EXPECT_EQ(nearest_name("banana", commands), std::nullopt);
  EXPECT_EQ(nearest_name("x", {}), std::nullopt);
  EXPECT_EQ(suggestion("tabel", commands), " (did you mean \"table\"?)");
  EXPECT_EQ(suggestion("banana", commands), "");
}

TEST(Text, FindIgnoringCasePrefersTheExactSpelling) {
  const std::vector<std::string> names{"FP16", "fp16", "TF32"};
  EXPECT_EQ(find_ignoring_case("fp16", names), "fp16");
  EXPECT_EQ(find_ignoring_case("Fp16", names), "FP16");
  EXPECT_EQ(find_ignoring_case("tf32", names), "TF32");
  EXPECT_EQ(find_ignoring_case("fp8", names), std::nullopt);
}

TEST(Text, TakesLines) {
  std::string_view text = "a\n\nb\r\nc";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "b\r");
  EXPECT_EQ(take_line(text), "c");
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(take_line(text), "");
  text = "a\n";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace ergon
