#include "fleet/prometheus/time_argument.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

Result<Timestamp> parse_time_argument(std::string_view text, Timestamp now, std::string_view option) {
  const auto argument = TimeArgument::parse(text, option);
  if (!argument) return argument.error();
  return argument->at(now);
}

TEST(TimeArgument, ReadsTimesAndOffsetsFromNow) {
  const Timestamp now = *parse_timestamp("2024-05-01T12:00:00Z");
  EXPECT_EQ(*parse_time_argument("now", now, "--to"), now);
  EXPECT_EQ(*parse_time_argument("now-2h", now, "--from"), *parse_timestamp("2024-05-01T10:00:00Z"));
  EXPECT_EQ(*parse_time_argument("now-1d", now, "--from"), *parse_timestamp("2024-04-30T12:00:00Z"));
  EXPECT_EQ(*parse_time_argument("now-90s", now, "--from"), *parse_timestamp("2024-05-01T11:58:30Z"));
  EXPECT_EQ(*parse_time_argument("2024-04-01T00:00:00+02:00", now, "--from"),
            *parse_timestamp("2024-03-31T22:00:00Z"));
}

TEST(TimeArgument, ErrorsNameTheOption) {
  const Timestamp now = *parse_timestamp("2024-05-01T12:00:00Z");
  for (const char* text : {"", "yesterday", "now-", "now-2", "now+2h", "now-2W", "now--2h", "now-1000000d"}) {
    const auto moment = parse_time_argument(text, now, "--from");
    ASSERT_FALSE(moment) << text;
    EXPECT_EQ(moment.error().kind, Errc::invalid_input);
    EXPECT_NE(moment.error().message.find("--from"), std::string::npos) << moment.error().message;
  }
}

}  // namespace
}  // namespace ergon::fleet
