#include "sweep/clock_choice.h"

#include <gtest/gtest.h>

namespace ergon::sweep {
namespace {

using namespace ergon::literals;

// 135 to 1597.5 MHz in steps of 7.5: 196 clocks.
std::vector<Hertz> grid() {
  std::vector<Hertz> clocks;
  for (int i = 0; i < 196; ++i) clocks.push_back(Hertz{135e6 + 7.5e6 * i});
  return clocks;
}

std::vector<double> mhz(const Result<std::vector<std::optional<Hertz>>>& clocks) {
  std::vector<double> all;
  for (const auto& clock : clocks.value()) all.push_back(clock ? clock->si() / 1e6 : 0);
  return all;
}

std::string refusal(const std::string& text, const std::vector<Hertz>& supported = grid()) {
  const auto choice = parse_clock_choice(text);
  if (!choice) return choice.error().message;
  const auto clocks = chosen_clocks(*choice, supported);
  return clocks ? "" : clocks.error().message;
}

TEST(ClockChoice, ReadsWordsNumbersAndLists) {
  EXPECT_EQ(*parse_clock_choice("all"), ClockChoice{AllClocks{}});
  EXPECT_EQ(*parse_clock_choice("own"), ClockChoice{OwnClock{}});
  EXPECT_EQ(*parse_clock_choice("196"), ClockChoice{std::size_t{196}});
  EXPECT_EQ(*parse_clock_choice("900MHz, 1.2GHz"), (ClockChoice{std::vector<Hertz>{900_MHz, 1200_MHz}}));
}

TEST(ClockChoice, RefusesWhatIsNoClock) {
  EXPECT_EQ(refusal("0"), "a sweep needs one clock at least, not 0");
  EXPECT_EQ(refusal("900,1200"), "\"900\" in a list of clocks has no unit: 900MHz?");
  EXPECT_EQ(refusal("900MHz,0MHz"), "a clock is above 0, not 0MHz");
  EXPECT_NE(refusal("fast"), "");
  EXPECT_NE(refusal("900W"), "");
  EXPECT_NE(refusal(""), "");
}

TEST(ClockChoice, ANumberIsSpreadOverAllClocksWithBothEnds) {
  const auto clocks = mhz(chosen_clocks(std::size_t{5}, grid()));
  EXPECT_EQ(clocks, (std::vector<double>{135, 502.5, 870, 1230, 1597.5}));
  EXPECT_EQ(mhz(chosen_clocks(std::size_t{196}, grid())), mhz(chosen_clocks(AllClocks{}, grid())));
  EXPECT_EQ(mhz(chosen_clocks(std::size_t{1}, grid())), std::vector<double>{1597.5});
  EXPECT_EQ(refusal("197"), "197 clocks were asked for, and the device has 196; --clocks all takes those");
}

TEST(ClockChoice, AListIsSortedAndSnapsToTheGrid) {
  const auto wanted = ClockChoice{std::vector<Hertz>{1200_MHz, 900_MHz, 902_MHz}};
  EXPECT_EQ(mhz(chosen_clocks(wanted, grid())), (std::vector<double>{900, 1200}));
  EXPECT_EQ(refusal("2GHz"), "2 GHz is outside of what the device has, 135 MHz to 1.598 GHz");
  EXPECT_EQ(refusal("450MHz", {300_MHz, 600_MHz, 1200_MHz}), "");
  EXPECT_EQ(refusal("800MHz", {300_MHz, 600_MHz, 700_MHz, 1200_MHz}),
            "the device has no clock at 800 MHz; its neighbours are 700 MHz and 1.2 GHz");
}

// 1597 is what a driver says of 1597.5.
TEST(ClockChoice, TheEndsOfTheGridAreRoundedAndNotStretched) {
  for (const char* const fine : {"134.5MHz", "135MHz", "1597MHz", "1598MHz"})
    EXPECT_EQ(refusal(fine), "") << fine;
  for (const char* const beyond : {"134MHz", "1599MHz"})
    EXPECT_NE(refusal(beyond).find("is outside of what the device has"), std::string::npos) << beyond;
}

TEST(ClockChoice, TheDevicesOwnNeedsNoList) {
  EXPECT_EQ(mhz(chosen_clocks(OwnClock{}, {})), std::vector<double>{0});
  EXPECT_EQ(refusal("3", {}), "the device names no clocks; --clocks own runs at the one it is at");
}

TEST(ClockChoice, AClockIsSeenWithinHalfAStep) {
  EXPECT_EQ(clock_tolerance(900_MHz, grid()), Hertz{3.75e6});
  EXPECT_EQ(clock_tolerance(135_MHz, grid()), Hertz{3.75e6});
  EXPECT_EQ(clock_tolerance(900_MHz, {}), 1_MHz);
  EXPECT_EQ(clock_tolerance(900_MHz, {900_MHz, 901_MHz}), 1_MHz);
}

}  // namespace
}  // namespace ergon::sweep
