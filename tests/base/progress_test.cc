#include "base/progress.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

using namespace ergon::literals;

class ProgressTest : public testing::Test {
 protected:
  Progress::Sink sink() {
    return [this](std::string_view text) { shown += text; };
  }
  ManualClock clock;
  std::string shown;
};

TEST_F(ProgressTest, LinesComeEveryFewSecondsWithRateAndTimeLeft) {
  Progress progress(ProgressStyle::lines, {"sweep", 100}, clock, sink());
  for (int i = 0; i < 10; ++i) {
    clock.advance(1_s);
    progress.advance(2);
  }
  EXPECT_EQ(shown, "sweep: 10/100 (10%), 2/s, 45 s left\nsweep: 20/100 (20%), 2/s, 40 s left\n");
}

TEST_F(ProgressTest, ItsEndThrowsNothing) {
  const auto without_memory = [](std::string_view) { throw std::bad_alloc(); };
  EXPECT_NO_THROW(Progress(ProgressStyle::records, {"sweep", 100}, clock, without_memory));
}

TEST_F(ProgressTest, ABarIsRedrawnInPlaceAndEndsItsLine) {
  Progress progress(ProgressStyle::bar, {"sweep", 4}, clock, sink(), 80);
  clock.advance(1_s);
  progress.advance(2);
  EXPECT_EQ(shown, "\r[###############...............] sweep: 2/4 (50%), 2/s, 1 s left\x1b[K");
  shown.clear();
  clock.advance(1_s);
  progress.advance(2);
  progress.finish();
  progress.finish();
  EXPECT_TRUE(shown.ends_with("sweep: 4/4 (100%), 2/s, took 2 s\x1b[K\n")) << shown;
}

TEST_F(ProgressTest, ABarIsNotDrawnMoreThanTenTimesASecond) {
  Progress progress(ProgressStyle::bar, {"sweep", 1000}, clock, sink());
  for (int i = 0; i < 1000; ++i) {
    clock.advance(1_ms);
    progress.advance();
  }
  EXPECT_LE(std::count(shown.begin(), shown.end(), '\r'), 10);
  EXPECT_GE(std::count(shown.begin(), shown.end(), '\r'), 8);
}

TEST_F(ProgressTest, ANarrowTerminalGetsNoBarAndNoWrappedLine) {
  Progress progress(ProgressStyle::bar, {"a long label", 10}, clock, sink(), 30);
  clock.advance(1_s);
  progress.advance();
  EXPECT_EQ(shown.find('['), shown.find("\x1b[K") + 1);
  EXPECT_LE(shown.size(), 30u + 4u);
}

TEST_F(ProgressTest, SilentAndShortWorkPrintNothing) {
  {
    Progress silent(ProgressStyle::silent, {"sweep", 10}, clock, sink());
    clock.advance(100_s);
    silent.advance(10);
  }
  {
    Progress brief(ProgressStyle::lines, {"read", 10}, clock, sink());
    clock.advance(1_s);
    brief.advance(10);
  }
  EXPECT_EQ(shown, "");
}

TEST_F(ProgressTest, UnitsFollowTheNumbers) {
  Progress progress(ProgressStyle::lines, {"reading a.csv", 200, "MB"}, clock, sink());
  clock.advance(10_s);
  progress.advance(50);
  EXPECT_EQ(shown, "reading a.csv: 50/200 MB (25%), 5 MB/s, 30 s left\n");
}

TEST_F(ProgressTest, AnUnknownTotalHasARateOnly) {
  Progress progress(ProgressStyle::lines, {"rows", 0}, clock, sink());
  clock.advance(10_s);
  progress.advance(25);
  EXPECT_EQ(shown, "rows: 25 done, 2.5/s\n");
}

TEST_F(ProgressTest, RecordsAreForProgramsTwiceASecondAndAtTheEnd) {
  {
    Progress progress(ProgressStyle::records, {"sweep", 100, "MB"}, clock, sink());
    for (int i = 0; i < 20; ++i) {
      clock.advance(100_ms);
      progress.advance(5);
    }
    EXPECT_EQ(shown,
              "progress\tsweep\t25\t100\tMB\nprogress\tsweep\t50\t100\tMB\nprogress\tsweep\t75\t100\tMB\n"
              "progress\tsweep\t100\t100\tMB\n");
    shown.clear();
    progress.advance();
    EXPECT_EQ(shown, "");
  }
  EXPECT_EQ(shown, "progress\tsweep\t101\t100\tMB\n");
}

// Who reads them wants to know of brief work, too, and of work of unknown length.
TEST_F(ProgressTest, RecordsIncludeWorkThatEndsAtOnce) {
  {
    Progress brief(ProgressStyle::records, {"read", 0}, clock, sink());
    brief.advance(7);
    brief.finish();
    brief.finish();
  }
  EXPECT_EQ(shown, "progress\tread\t7\t0\t\n");
}

// A record is a line of five cells, whatever the label.
TEST_F(ProgressTest, LabelsCannotBreakRecords) {
  { Progress odd(ProgressStyle::records, {"a\tb\nc", 1, "x\ty"}, clock, sink()); }
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\t'), 4);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 1);
}

TEST(Countdown, IsRounded) {
  EXPECT_EQ(to_countdown(0.2_s), "1 s");
  EXPECT_EQ(to_countdown(99_s), "99 s");
  EXPECT_EQ(to_countdown(200_s), "3 min 20 s");
  EXPECT_EQ(to_countdown(7500_s), "2 h 05 min");
  EXPECT_EQ(to_countdown(Seconds{-3}), "0 s");
}

}  // namespace
}  // namespace ergon
