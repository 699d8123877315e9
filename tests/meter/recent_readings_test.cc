#include "meter/recent_readings.h"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

namespace ergon::meter {
namespace {

using namespace ergon::literals;

Instant at(double seconds) { return Instant{} + Seconds{seconds}; }

// A counter at 200 W that steps every 20 ms.
Joules counted_at(double seconds) { return 200_W * Seconds{std::floor(seconds / 0.02 + 1e-9) * 0.02}; }

class HeldUpReads : public ::testing::Test {
 protected:
  HeldUpReads() {
    facts_.period = 20_ms;
    facts_.window = 10_ms;
    readings_.emplace(facts_, 300_W);
  }
  // Reads every 4 ms.
  void read(double from, double to) {
    for (double time = from; time < to; time += 0.004)
      readings_->read_counter(at(time), at(time), counted_at(time));
  }
  // Power between neighboring counter values is 200 W within three standard deviations of their times.
  void expect_right_times(Instant from, Instant to) {
    const WindowData data = readings_->around(from, to);
    for (std::size_t i = 1; i < data.counter.size(); ++i) {
      const CounterPoint &a = data.counter[i - 1], &b = data.counter[i];
      const Seconds deviation{std::hypot(a.deviation.si(), b.deviation.si())};
      EXPECT_NEAR((b.counted - a.counted).si(), 200 * (b.at - a.at).si(), 200 * 3 * deviation.si() + 0.3)
          << (a.at - Instant{}).si() << " to " << (b.at - Instant{}).si();
    }
  }
  SensorFacts facts_;
  std::optional<RecentReadings> readings_;
};

// The process was not run for 0.31 s: the newest step is at the end of the time between the reads.
TEST_F(HeldUpReads, BeforeTheStepsAreKnown) {
  read(0.5, 0.56);
  read(0.87, 0.93);
  expect_right_times(at(0.6), at(0.8));
  for (const CounterPoint& point : readings_->around(at(0.6), at(0.8)).counter)
    EXPECT_LT(point.deviation, 30_ms);
}

TEST_F(HeldUpReads, OnceTheStepsAreKnown) {
  read(0.5, 1.5);
  read(1.813, 2);
  expect_right_times(at(1.55), at(1.75));
}

// The value was taken at the start of a read that took 70 ms.
TEST_F(HeldUpReads, WithinOneRead) {
  read(0.5, 1.501);
  readings_->read_counter(at(1.525), at(1.595), counted_at(1.525));
  read(1.6, 1.8);
  expect_right_times(at(1.45), at(1.65));
}

}  // namespace
}  // namespace ergon::meter
