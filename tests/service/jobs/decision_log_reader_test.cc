#include "service/jobs/decision_log_reader.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

TEST(DecisionLogReader, UsesTheHeaderAsKeys) {
  DecisionLogReader lines;
  EXPECT_FALSE(lines.read("at_seconds,batch,reason"));
  const auto row = lines.read("0.5,8,up");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->dump(), R"({"at_seconds":0.5,"batch":8.0,"reason":"up"})");
}

TEST(DecisionLogReader, EmptyCellsAreNullExceptTheReason) {
  DecisionLogReader lines;
  EXPECT_FALSE(lines.read("power_watts,clock_hertz,reason"));
  EXPECT_EQ(*lines.read(",,"), (Json{{"power_watts", nullptr}, {"clock_hertz", nullptr}, {"reason", ""}}));
  EXPECT_EQ(*lines.read("1e3,-2,17"),
            (Json{{"power_watts", 1000.0}, {"clock_hertz", -2.0}, {"reason", "17"}}));
  EXPECT_EQ(*lines.read("nan,fast,x"),
            (Json{{"power_watts", "nan"}, {"clock_hertz", "fast"}, {"reason", "x"}}));
}

TEST(DecisionLogReader, ParsesQuotedCells) {
  DecisionLogReader lines;
  EXPECT_FALSE(lines.read("\"a,b\",reason"));
  const auto row = lines.read(R"(1,"calm, ""very"" calm")");
  ASSERT_TRUE(row);
  EXPECT_EQ((*row)["a,b"], 1.0);
  EXPECT_EQ((*row)["reason"], "calm, \"very\" calm");
  EXPECT_EQ((*lines.read("2,\"\""))["reason"], "");
}

TEST(DecisionLogReader, IgnoresLinesOfAnotherLength) {
  DecisionLogReader lines;
  EXPECT_FALSE(lines.read("a,b"));
  for (const char* line : {"", "1", "1,2,3", "\"1,2\"", "\"1,2"}) EXPECT_FALSE(lines.read(line)) << line;
  EXPECT_TRUE(lines.read("1,2"));
}

}  // namespace
}  // namespace ergon::service
