#include "fleet/summary/summary_table.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

TEST(SummaryTable, IsKnownByItsName) {
  for (const SummaryTable table : kSummaryTables) EXPECT_EQ(*parse_summary_table(name_of(table)), table);
  EXPECT_EQ(parse_summary_table("hots").error().message,
            "\"hots\" is not a table (did you mean \"host\"?); expected event, level, host, gpu, task, time");
  EXPECT_FALSE(parse_summary_table("Host"));
}

}  // namespace
}  // namespace ergon::fleet
