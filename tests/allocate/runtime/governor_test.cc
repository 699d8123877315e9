#include "allocate/runtime/governor.h"

#include <gtest/gtest.h>

namespace ergon::allocate {
namespace {

// Two layers. The first is memory-bound: at half the bandwidth its first row takes twice as long, and the row
// for half the bandwidth has half the clock, so at full bandwidth it takes almost as long. The second never
// stalls.
schedule::File plan() {
  const auto row = [](double share, double hz, std::vector<double> times) {
    schedule::Row made{.share = share, .frequency_hz = hz, .tail_frequency_hz = hz};
    made.time_seconds = std::move(times);
    return made;
  };
  schedule::File file;
  file.shares = {1, 0.5, 0.25};
  file.layers = {
      {"waits", {row(1, 400, {1, 2, 4}), row(0.5, 200, {1.9, 2, 4}), row(0.25, 100, {3.9, 3.9, 4})}},
      {"works", {row(1, 500, {1, 1, 1}), row(0.5, 500, {1, 1, 1}), row(0.25, 500, {1, 1, 1})}}};
  return file;
}

GovernorState state_at(double share) { return {.share = share, .expected = Seconds{1000}}; }

TEST(Governor, UsesTheRowOfTheNextHigherShare) {
  EXPECT_EQ(choose_row(plan(), state_at(1), 0), 0U);
  EXPECT_EQ(choose_row(plan(), state_at(0.6), 0), 0U);
  EXPECT_EQ(choose_row(plan(), state_at(0.51), 0), 1U);
  EXPECT_EQ(choose_row(plan(), state_at(0.5), 0), 1U);
  EXPECT_EQ(choose_row(plan(), state_at(0.3), 0), 1U);
  EXPECT_EQ(choose_row(plan(), state_at(0.24), 0), 2U);
  EXPECT_EQ(choose_row(plan(), state_at(0.1), 0), 0U);  // the plan has no row for this share
}

TEST(Governor, EstimatesTheShareFromTheTime) {
  GovernorState state = state_at(1);
  observe(plan(), state, 0, 0, Seconds{2});
  EXPECT_NEAR(state.share, 0.5, 1e-12);
  EXPECT_NEAR(state.delay.si(), 0, 1e-12);  // the first row would have taken as long
  observe(plan(), state, 0, 0, Seconds{3});
  EXPECT_NEAR(state.share, 1 / 3.0, 1e-12);
  observe(plan(), state, 0, 0, Seconds{8});
  EXPECT_NEAR(state.share, 0.125, 1e-12);  // below the plan's rows; the first row is not faster
  EXPECT_NEAR(state.delay.si(), 0, 1e-12);
}

TEST(Governor, ALayerWithoutStallsIsUninformative) {
  GovernorState state = state_at(0.5);
  observe(plan(), state, 1, 0, Seconds{1});
  EXPECT_EQ(state.share, 0.5);
  observe(plan(), state, 1, 0, Seconds{1.3});
  EXPECT_EQ(state.share, 0.5);
  EXPECT_NEAR(state.delay.si(), 0.3, 1e-12);
}

TEST(Governor, CountsDelayWhenBandwidthReturns) {
  GovernorState state = state_at(0.5);
  observe(plan(), state, 0, 1,
          Seconds{1.9});  // all of it at full bandwidth; the first row would have taken 1
  EXPECT_EQ(state.share, 1);
  EXPECT_NEAR(state.delay.si(), 0.9, 1e-9);
}

TEST(Governor, RunsTheFirstRowAfterUninformativeLayers) {
  GovernorState state = state_at(0.25);
  std::size_t layers = 0;
  // With the row for a quarter the layer takes 3.9 or 4 at any share.
  for (; choose_row(plan(), state, 0) == 2 && layers < 100; ++layers)
    observe(plan(), state, 0, 2, Seconds{3.95});
  EXPECT_GT(layers, 1U);
  EXPECT_LT(layers, 10U);
  EXPECT_EQ(choose_row(plan(), state, 0), 0U);
  observe(plan(), state, 0, 0, Seconds{4});
  EXPECT_EQ(state.uninformative, 0U);
  EXPECT_EQ(choose_row(plan(), state, 0), 2U);
}

TEST(Governor, UsesTheFirstRowAfterTooMuchDelay) {
  GovernorState state = state_at(0.5);
  state.delay = Seconds{6};
  EXPECT_EQ(choose_row(plan(), state, 0), 0U);
  state.delay = Seconds{4};
  EXPECT_EQ(choose_row(plan(), state, 0), 1U);
}

}  // namespace
}  // namespace ergon::allocate
