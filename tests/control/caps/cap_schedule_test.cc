#include "control/caps/cap_schedule.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/units_text.h"
#include "support/temporary_folder.h"

namespace ergon::control {
namespace {

using namespace literals;

std::string refusal(std::string_view text) {
  const auto cap = parse_cap(text);
  if (cap) return "accepted as " + to_text(*cap);
  EXPECT_EQ(cap.error().kind, Errc::invalid_input);
  return cap.error().message;
}

TEST(ParseCap, ReadsPowersAndNumbersInWatts) {
  for (const std::string_view text :
       {"250W", "250", "250 W", "0.25kW", "250000mW", "+250", "2.5e2", "250."}) {
    EXPECT_EQ(parse_cap(text).value_or(0_W), 250_W) << text;
  }
  EXPECT_EQ(parse_cap("100kW").value_or(0_W), 100000_W);
}

TEST(ParseCap, AllowsSurroundingSpacesAndOneNewline) {
  for (const std::string_view text : {" 250W", "250W\t ", "250W\n", "250W\r\n", "\t250 \n"}) {
    EXPECT_EQ(parse_cap(text).value_or(0_W), 250_W) << text;
  }
}

TEST(ParseCap, RejectsInvalidCaps) {
  EXPECT_EQ(refusal(""), "empty; expected a power, for example 250W");
  EXPECT_EQ(refusal(" \n"), "empty; expected a power, for example 250W");
  EXPECT_EQ(refusal("250W\n\n"), "several lines; expected one, for example 250W");
  EXPECT_EQ(refusal("250W\n300W\n"), "several lines; expected one, for example 250W");
  EXPECT_EQ(refusal("\n250W"), "several lines; expected one, for example 250W");
  EXPECT_EQ(refusal("lots"), "\"lots\" does not begin with a number; expected a power (example: 250W)");
  EXPECT_EQ(refusal("0W"), "0W: the cap must be above 0");
  EXPECT_EQ(refusal("-0"), "-0: the cap must be above 0");
  EXPECT_EQ(refusal("-250"), "-250: the cap must be above 0");
  EXPECT_EQ(refusal("100.001kW"), "100.001kW is above the maximum cap, 100 kW");
  EXPECT_EQ(refusal("250000"), "250000 is above the maximum cap, 100 kW");
}

TEST(ParseCap, RejectsInfinity) {
  for (const std::string_view text : {"inf", "-inf", "infinity", "infW", "nan"}) {
    EXPECT_NE(refusal(text).find("does not begin with a number"), std::string::npos) << text;
  }
  for (const std::string_view text : {"1e999", "1e999W", "-1e999"}) {
    EXPECT_NE(refusal(text).find("is out of range"), std::string::npos) << text;
  }
}

TEST(ParseCap, RejectsTrailingText) {
  EXPECT_NE(refusal("250W please").find("\"250W please\" has an unknown unit"), std::string::npos);
  EXPECT_NE(refusal("250 300").find("\"250 300\" has an unknown unit"), std::string::npos);
  EXPECT_NE(refusal("250w").find("did you mean W?"), std::string::npos);
  EXPECT_NE(refusal("250MHz").find("is a frequency; expected a power"), std::string::npos);
  EXPECT_NE(refusal(std::string_view("250\0", 4)).find("unknown unit"), std::string::npos);
}

TEST(ParseCap, QuotesTheInputInOneShortLine) {
  const std::string message = refusal("a\x1b[2Jb\rc" + std::string(5000, 'x'));
  EXPECT_LT(message.size(), 200u);
  EXPECT_EQ(message.find_first_of("\x1b\r\n"), std::string::npos);
}

TEST(WithUnit, ChangesOnlyNumbersWithoutAUnit) {
  EXPECT_EQ(with_unit("10", "s"), "10s");
  EXPECT_EQ(with_unit("-1.5e3", "s"), "-1.5e3s");
  EXPECT_EQ(with_unit("10ms", "s"), "10ms");
  EXPECT_EQ(with_unit("10 20", "s"), "10 20");
}

TEST(SecondsText, RoundsToMicroseconds) {
  EXPECT_EQ(seconds_text(0.35_s), "0.35");
  EXPECT_EQ(seconds_text(0.1_s + 0.2_s), "0.3");
  EXPECT_EQ(seconds_text(12_us), "0.000012");
  EXPECT_EQ(seconds_text(7200_s), "7200");
}

// The result of a poll as text.
std::string said(CapSource& source, Seconds now) {
  const auto polled = source.poll(now);
  if (!polled) return "error: " + polled.error().message;
  if (!*polled) return "nothing";
  return to_text((*polled)->cap) + " from " + (*polled)->origin;
}

TEST(ConstantCap, ChangesOnce) {
  const auto source = constant_cap(250_W);
  EXPECT_EQ(said(*source, 3_s), "250 W from constant");
  source->acknowledge(250_W, 1_s);
  EXPECT_EQ(said(*source, 3_s), "nothing");
  EXPECT_EQ(said(*source, 1000_s), "nothing");
}

class ScheduledCapTest : public testing::Test {
 protected:
  Result<std::unique_ptr<CapSource>> schedule(std::string_view text) {
    EXPECT_TRUE(write_file(path_, text));
    return scheduled_cap(path_);
  }
  // The error without the path, which every error starts with.
  std::string refused(std::string_view text) {
    const auto source = schedule(text);
    if (source) return "accepted";
    EXPECT_EQ(source.error().kind, Errc::invalid_input);
    EXPECT_TRUE(source.error().message.starts_with(path_)) << source.error().message;
    return source.error().message.substr(path_.size());
  }

  ergon::test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "caps.csv").string();
};

TEST_F(ScheduledCapTest, ReturnsEachCapAtItsTime) {
  const auto source = schedule("time_seconds,watts\n0,300\n10,250\n20.5,400\n");
  ASSERT_TRUE(source);
  EXPECT_EQ(said(**source, 0_s), "300 W from schedule");
  EXPECT_EQ(said(**source, 0_s), "nothing");
  EXPECT_EQ(said(**source, 9.999_s), "nothing");
  EXPECT_EQ(said(**source, 10_s), "250 W from schedule");
  EXPECT_EQ(said(**source, 20.5_s), "400 W from schedule");
  EXPECT_EQ(said(**source, 1e6_s), "nothing");
}

TEST_F(ScheduledCapTest, ReturnsNoCapBeforeTheFirstTime) {
  const auto source = schedule("5,300\n");
  ASSERT_TRUE(source);
  EXPECT_EQ(said(**source, 0_s), "nothing");
  EXPECT_EQ(said(**source, 4.9_s), "nothing");
  EXPECT_EQ(said(**source, 5.1_s), "300 W from schedule");
}

TEST_F(ScheduledCapTest, ReturnsTheLastOfSeveralPassedCaps) {
  const auto source = schedule("0,300\n1,250\n2,200\n3,150\n");
  ASSERT_TRUE(source);
  EXPECT_EQ(said(**source, 2.5_s), "200 W from schedule");
  EXPECT_EQ(said(**source, 2.6_s), "nothing");
  EXPECT_EQ(said(**source, 3_s), "150 W from schedule");
}

TEST_F(ScheduledCapTest, ReadsUnitsCommentsSpacesAndCrLf) {
  const auto source = schedule(
      "\xef\xbb\xbf# of the utility\r\n\r\n time_seconds , watts \r\n500ms, 0.3 kW # at first\r\n"
      "  \r\n1min,250W\r\n#2min,1W\r\n1h,100");
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(said(**source, 0.4_s), "nothing");
  EXPECT_EQ(said(**source, 0.5_s), "300 W from schedule");
  EXPECT_EQ(said(**source, 60_s), "250 W from schedule");
  EXPECT_EQ(said(**source, 3599_s), "nothing");
  EXPECT_EQ(said(**source, 3600_s), "100 W from schedule");
}

TEST_F(ScheduledCapTest, RejectsInvalidLines) {
  const std::string header = "time_seconds,watts\n# caps\n";
  EXPECT_EQ(refused(header + "0,300\n10\n"), ":4: 1 field; expected a time and a cap, for example 10s,250W");
  EXPECT_EQ(refused(header + "0,300,1\n"), ":3: 3 fields; expected a time and a cap, for example 10s,250W");
  EXPECT_EQ(refused(header + "noon,300\n"),
            ":3: \"noon\" does not begin with a number; expected a time (example: 20ms)");
  EXPECT_EQ(refused(header + ",300\n"),
            ":3: \"\" does not begin with a number; expected a time (example: 20ms)");
  EXPECT_EQ(refused(header + "10W,300\n"), ":3: \"10W\" is a power; expected a time (example: 20ms)");
  EXPECT_EQ(refused(header + "1e999,300\n"),
            ":3: \"1e999s\" is out of range; expected a time (example: 20ms)");
  EXPECT_EQ(refused(header + "-1,300\n"), ":3: -1: the time must not be negative");
  EXPECT_EQ(refused(header + "1,0\n"), ":3: 0: the cap must be above 0");
  EXPECT_EQ(refused(header + "1,\n"), ":3: empty; expected a power, for example 250W");
  EXPECT_EQ(refused(header + "1,300\ntime_seconds,watts\n"),
            ":4: \"time_seconds\" does not begin with a number; expected a time (example: 20ms)");
}

TEST_F(ScheduledCapTest, RejectsTimesThatDoNotAscend) {
  EXPECT_EQ(refused("0,300\n10,250\n\n9,200\n"), ":4: 9s is not after 10s, the previous time");
  EXPECT_EQ(refused("1,300\n1000ms,250\n"), ":2: 1s is not after 1s, the previous time");
}

TEST_F(ScheduledCapTest, NamesTheExpectedHeader) {
  EXPECT_EQ(refused("# caps\ntime,cap\n0,300\n"),
            ":2: \"time\" does not begin with a number; expected a time (example: 20ms) (the header is "
            "time_seconds,watts)");
}

TEST_F(ScheduledCapTest, RejectsAFileWithoutCaps) {
  EXPECT_EQ(refused(""), ": contains no cap");
  EXPECT_EQ(refused("time_seconds,watts\n# 0,300\n"), ": contains no cap");
}

TEST_F(ScheduledCapTest, FromTheStartNeedsACapAtTimeZero) {
  ASSERT_TRUE(schedule("5,150\n"));
  const auto late = scheduled_cap_from_start(path_);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, path_ + ": no cap at time 0; the first line must have time 0");
  ASSERT_TRUE(schedule("0,150\n"));
  EXPECT_EQ(said(**scheduled_cap_from_start(path_), 0_s), "150 W from schedule");
}

TEST_F(ScheduledCapTest, FailsWithoutTheFile) {
  const auto source = scheduled_cap(path_);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().kind, Errc::not_found);
  EXPECT_EQ(source.error().message, path_ + ": no such file");
}

}  // namespace
}  // namespace ergon::control
