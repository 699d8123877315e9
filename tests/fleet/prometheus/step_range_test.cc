#include "fleet/prometheus/step_range.h"

#include <gtest/gtest.h>

namespace ergon::fleet {
namespace {

using namespace literals;

Timestamp at(std::string_view text) { return *parse_timestamp(text); }

TEST(StepRange, IncludesBothEnds) {
  const auto range = steps_between(at("2024-01-01T00:00:00Z"), at("2024-01-01T00:01:00Z"), 15_s);
  ASSERT_TRUE(range);
  EXPECT_EQ(at_ms(range->first_ms), at("2024-01-01T00:00:00Z"));
  EXPECT_EQ(at_ms(range->last_ms), at("2024-01-01T00:01:00Z"));
  EXPECT_EQ(range->count(), 5);
}

TEST(StepRange, HasMultiplesOfTheStep) {
  const auto range = steps_between(at("2024-01-01T00:00:00.001Z"), at("2024-01-01T00:00:59.999Z"), 15_s);
  ASSERT_TRUE(range);
  EXPECT_EQ(at_ms(range->first_ms), at("2024-01-01T00:00:15Z"));
  EXPECT_EQ(at_ms(range->last_ms), at("2024-01-01T00:00:45Z"));
}

TEST(StepRange, RejectsRangesWithoutAStep) {
  const Timestamp noon = at("2024-01-01T12:00:00Z"), later = at("2024-01-01T12:00:59Z");
  EXPECT_TRUE(steps_between(noon, noon, 15_s));
  EXPECT_FALSE(steps_between(later, noon, 15_s));
  EXPECT_FALSE(steps_between(at("2024-01-01T12:00:01Z"), at("2024-01-01T12:00:14Z"), 15_s));
  EXPECT_FALSE(steps_between(at("1969-12-31T00:00:00Z"), noon, 15_s));
  for (const Seconds step : {0_s, -15_s, 100_us, 1.5_ms, Seconds{1e9}})
    EXPECT_FALSE(steps_between(noon, later, step)) << step.si();
  EXPECT_TRUE(steps_between(noon, later, 1_ms));
}

TEST(StepWindows, ContainEveryStepOnce) {
  constexpr std::int64_t kNoonMs = 1'704'110'400'000;
  for (const std::int64_t step_ms : {1, 7, 250, 1000, 15'000, 60'000, 3'600'000}) {
    for (const std::int64_t steps : {1, 39, 40, 41, 600, 601, 10'000, 10'001, 25'000}) {
      const StepRange range{kNoonMs, kNoonMs + (steps - 1) * step_ms, step_ms};
      const StepWindows windows(range);
      std::int64_t due = range.first_ms;
      for (std::int64_t i = 0; i < windows.count(); ++i) {
        const StepRange window = windows[i];
        ASSERT_EQ(window.first_ms, due);
        ASSERT_LE(window.count(), 10'000);
        ASSERT_GE(window.last_ms, window.first_ms);
        due = window.last_ms + step_ms;
      }
      EXPECT_EQ(due, range.last_ms + step_ms) << step_ms << " ms, " << steps << " steps";
    }
  }
}

TEST(StepWindows, AreTenMinutes) {
  const auto day = steps_between(at("2024-01-01T00:00:00Z"), at("2024-01-01T23:59:45Z"), 15_s);
  ASSERT_TRUE(day);
  EXPECT_EQ(StepWindows(*day).count(), 144);
}

}  // namespace
}  // namespace ergon::fleet
