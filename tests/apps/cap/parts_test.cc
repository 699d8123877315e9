// Parts of `ergon cap`.

#include <gtest/gtest.h>

#include "cap/cap_settings.h"
#include "cap/status_line.h"

namespace ergon::app {
namespace {

control::Decision decision_at(double at) {
  control::Decision made;
  made.feedback.at = Seconds{at};
  made.feedback.cap = Watts{250};
  return made;
}

TEST(LatencyBound, AcceptsATimeOrAP99Bound) {
  EXPECT_EQ(parse_latency_bound("p99<=50ms").value(), Seconds{0.05});
  EXPECT_EQ(parse_latency_bound("p99 <= 50 ms").value(), Seconds{0.05});
  EXPECT_EQ(parse_latency_bound("50ms").value(), Seconds{0.05});
  for (const char* text :
       {"", "p95<=50ms", "p99<50ms", "p99<=", "p99>=50ms", "<=50ms", "50", "0s", "-5ms", "50W"}) {
    EXPECT_FALSE(parse_latency_bound(text)) << text;
  }
}

TEST(CapSettings, BatchesAscendAndAreDistinct) {
  CapSettings settings;
  settings.batches = {24, 8, 8, 16};
  EXPECT_EQ(settings.target().batches, (std::vector<std::int64_t>{8, 16, 24}));
}

TEST(StatusLine, IsRedrawnTenTimesPerSecondAndErased) {
  ManualClock clock;
  std::vector<std::string> written;
  {
    StatusLine line(StatusLine::Style::in_place, clock,
                    [&](std::string_view text) { written.emplace_back(text); });
    for (int i = 0; i < 100; ++i) {
      clock.advance(Seconds{0.01});
      line.show(decision_at(i));
    }
  }
  EXPECT_GE(written.size(), 9u);
  EXPECT_LE(written.size(), 11u);
  EXPECT_EQ(written.back(), "\r\x1b[K");
}

TEST(StatusLine, WritesALineEveryFiveSecondsToALog) {
  ManualClock clock;
  std::string written;
  StatusLine line(StatusLine::Style::lines, clock, [&](std::string_view text) { written += text; });
  for (int i = 0; i < 110; ++i) {
    clock.advance(Seconds{0.1});
    line.show(decision_at(i));
  }
  line.clear();
  EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 2);
  EXPECT_EQ(written.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace ergon::app
