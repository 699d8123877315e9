#include "fleet/prometheus/query_times.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

QueryTimes times_of(const char* from, const char* to) {
  return {.from = *TimeArgument::parse(from, "--from"), .to = *TimeArgument::parse(to, "--to")};
}

TEST(QueryTimes, EndAtNow) {
  const Timestamp now = *parse_timestamp("2024-05-01T12:00:00Z");
  const auto range = range_of(times_of("now-1h", "2030-01-01T00:00:00Z"), now);
  ASSERT_TRUE(range) << range.error().message;
  EXPECT_EQ(at_ms(range->last_ms), now);
  EXPECT_EQ(range->step_ms, 15'000);
  EXPECT_EQ(range->count(), 241);
  EXPECT_EQ(*range, *range_of(times_of("now-1h", "now"), now));
}

TEST(QueryTimes, ReportInvalidRanges) {
  const Timestamp now = *parse_timestamp("2024-05-01T12:00:00Z");
  EXPECT_FALSE(range_of(times_of("now", "now-1h"), now));
  EXPECT_FALSE(range_of(times_of("now-1000000d", "now"), now));
  QueryTimes fine = times_of("now-1h", "now");
  fine.step = Seconds{1e-4};
  EXPECT_FALSE(range_of(fine, now));
}

}  // namespace
}  // namespace ergon::fleet
