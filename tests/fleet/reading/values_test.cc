#include "fleet/reading/values.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

TEST(TimestampReader, ReadsTheFormatsOfLogs) {
  TimestampReader reader;
  const auto expected = parse_timestamp("2018-11-08T07:41:31.055Z");
  ASSERT_TRUE(expected);
  for (const char* text :
       {"2018-11-08T07:41:31.055Z", "2018-11-08T09:41:31.055+02:00", " 2018/11/08 07:41:31.055",
        "1541662891055", "1541662891.055", "1541662891055000", "1541662891055000000"})
    EXPECT_EQ(reader.read(text), expected) << text;
  EXPECT_EQ(reader.without_zone(), 1U);
}

TEST(TimestampReader, RejectsInvalidTimestamps) {
  TimestampReader reader;
  for (const char* text :
       {"", "now", "2018-13-08T07:41:31.055Z", "2018-11-08T25:41:31.055Z", "2018-11-31T07:41:31.055Z",
        "2018-11-08T07:61:31.055Z", "2018-11-08X07:41:31.055Z", "-5", "1e400"})
    EXPECT_FALSE(reader.read(text)) << text;
}

TEST(TimestampReader, AppliesItsZoneToTimestampsWithoutOne) {
  const auto zone = read_zone("-05:30");
  ASSERT_TRUE(zone);
  TimestampReader reader(*zone);
  EXPECT_EQ(reader.read("2018-11-08 07:00:00"), parse_timestamp("2018-11-08T12:30:00Z"));
  EXPECT_EQ(reader.read("2018-11-08T07:00:00.000Z"), parse_timestamp("2018-11-08T07:00:00Z"));
  EXPECT_FALSE(read_zone("Berlin"));
  EXPECT_FALSE(read_zone(""));
}

TEST(ReadValue, ReadsNumbersWithAndWithoutUnits) {
  EXPECT_EQ(read_value("125.99"), 125.99);
  EXPECT_EQ(read_value("0"), 0.0);
  EXPECT_EQ(read_value("75.31 W"), 75.31);
  EXPECT_EQ(read_value("45 %"), 45.0);
  EXPECT_EQ(read_value("45%"), 45.0);
  EXPECT_EQ(read_value("0.25 kW"), 250.0);
  EXPECT_EQ(read_value("1500 mW"), 1.5);
  EXPECT_EQ(read_value("-3.5"), -3.5);
  EXPECT_EQ(read_value("1.5e2"), 150.0);
  EXPECT_EQ(read_value("123456789012345.25"), 123456789012345.25);
  for (const char* text :
       {"", "[N/A]", "N/A", "[Not Supported]", "nan", "inf", ".", "1.2.3", "W", "5 0", "12 MHz", "1 2 W"})
    EXPECT_FALSE(read_value(text)) << text;
}

}  // namespace
}  // namespace ergon::fleet
