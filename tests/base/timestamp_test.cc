#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

// Seconds since the epoch from GNU date: date -u -d 2018-11-08T07:41:31Z +%s
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kThatMorning = 1541662891 * kSecond;

TEST(Timestamp, ReadsIso8601) {
  EXPECT_EQ(parse_timestamp("2018-11-08T07:41:31Z")->ns, kThatMorning);
  EXPECT_EQ(parse_timestamp("2018-11-08T07:41:31.055Z")->ns, kThatMorning + 55'000'000);
  EXPECT_EQ(parse_timestamp("2018-11-08 07:41:31.055123456")->ns, kThatMorning + 55'123'456);
  EXPECT_EQ(parse_timestamp("2018-11-08T08:41:31+01:00")->ns, kThatMorning);
  EXPECT_EQ(parse_timestamp("2018-11-08T02:11:31-0530")->ns, kThatMorning);
  EXPECT_EQ(parse_timestamp("2018-11-08T09:41:31+02")->ns, kThatMorning);
  EXPECT_EQ(parse_timestamp("2018-11-08T07:41")->ns, kThatMorning - 31 * kSecond);
  EXPECT_EQ(parse_timestamp("2018-11-08")->ns, 1541635200 * kSecond);
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:00Z")->ns, 0);
  EXPECT_EQ(parse_timestamp("1969-12-31T23:59:59.999Z")->ns, -1'000'000);
  EXPECT_EQ(parse_timestamp("2000-02-29")->ns, 951782400 * kSecond);
}

TEST(Timestamp, RejectsTextThatIsNotATime) {
  for (const char* text : {"",
                           "2018",
                           "2018-11",
                           "2018-13-01",
                           "2018-00-10",
                           "2018-02-29",
                           "1900-02-29",
                           "2018-11-31",
                           "2018-11-08T",
                           "2018-11-08T24:00:00Z",
                           "2018-11-08T07:60",
                           "2018-11-08T07:41:31.",
                           "2018-11-08T07:41:31.0551234567Z",
                           "2018-11-08T07:41:31ZZ",
                           "2018-11-08T07:41:31+1",
                           "2018-11-08T07:41:31+01:",
                           "2018-11-08T07:41:31+24:00",
                           "18-11-08",
                           "2018/11/08",
                           " 2018-11-08",
                           "2018-11-08 ",
                           "1677-01-01",
                           "2262-01-01",
                           "2261-12-31T23:59:59-05:00",
                           "1678-01-01T00:00:00+01:00",
                           "2018-11-08T-7:41"}) {
    EXPECT_FALSE(parse_timestamp(text)) << text;
  }
}

TEST(Timestamp, PrintsTheShortestFraction) {
  EXPECT_EQ(to_text(Timestamp{kThatMorning}), "2018-11-08T07:41:31Z");
  EXPECT_EQ(to_text(Timestamp{kThatMorning + 55'000'000}), "2018-11-08T07:41:31.055Z");
  EXPECT_EQ(to_text(Timestamp{kThatMorning + 55'123'000}), "2018-11-08T07:41:31.055123Z");
  EXPECT_EQ(to_text(Timestamp{kThatMorning + 1}), "2018-11-08T07:41:31.000000001Z");
  EXPECT_EQ(to_text(Timestamp{-1}), "1969-12-31T23:59:59.999999999Z");
}

TEST(Timestamp, DifferencesAreSeconds) {
  EXPECT_EQ(*parse_timestamp("2018-11-08T07:42:00Z") - *parse_timestamp("2018-11-08T07:41:31Z"), Seconds{29});
  EXPECT_EQ(*parse_timestamp("2018-11-08T07:41:31Z") - *parse_timestamp("2018-11-08T07:42:00Z"),
            Seconds{-29});
  EXPECT_EQ(*parse_timestamp("2261-12-31") - *parse_timestamp("1678-01-01"), Seconds{213300.0 * 86'400});
}

}  // namespace
}  // namespace ergon
