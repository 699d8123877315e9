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
  EXPECT_EQ(*parse_clock_choice("default"), ClockChoice{DefaultClock{}});
  EXPECT_EQ(*parse_clock_choice("196"), ClockChoice{std::size_t{196}});
  EXPECT_EQ(*parse_clock_choice("900MHz, 1.2GHz"), (ClockChoice{std::vector<Hertz>{900_MHz, 1200_MHz}}));
}

TEST(ClockChoice, RejectsInvalidClocks) {
  EXPECT_EQ(refusal("0"), "--clocks: 0 is not a number of clocks; the minimum is 1");
  EXPECT_EQ(refusal("900,1200"), "--clocks: \"900\" has no unit (example: 900MHz)");
  EXPECT_EQ(refusal("900MHz,0MHz"), "--clocks: 0MHz is not above 0");
  EXPECT_EQ(refusal("own"), "--clocks: \"own\" is now \"default\"");
  EXPECT_NE(refusal("fast"), "");
  EXPECT_NE(refusal("900W"), "");
  EXPECT_NE(refusal(""), "");
}

TEST(ClockChoice, ANumberOfClocksIsSpreadOverTheRange) {
  const auto clocks = mhz(chosen_clocks(std::size_t{5}, grid()));
  EXPECT_EQ(clocks, (std::vector<double>{135, 502.5, 870, 1230, 1597.5}));
  EXPECT_EQ(mhz(chosen_clocks(std::size_t{196}, grid())), mhz(chosen_clocks(AllClocks{}, grid())));
  EXPECT_EQ(mhz(chosen_clocks(std::size_t{1}, grid())), std::vector<double>{1597.5});
  EXPECT_EQ(refusal("197"), "--clocks: 197 exceeds the 196 clocks of the device; use --clocks all");
}

TEST(ClockChoice, AListIsSortedAndSnapsToTheGrid) {
  const auto wanted = ClockChoice{std::vector<Hertz>{1200_MHz, 900_MHz, 902_MHz}};
  EXPECT_EQ(mhz(chosen_clocks(wanted, grid())), (std::vector<double>{900, 1200}));
  EXPECT_EQ(refusal("2GHz"), "--clocks: 2 GHz is outside the range of the device, 135 MHz to 1.598 GHz");
  EXPECT_EQ(refusal("450MHz", {300_MHz, 600_MHz, 1200_MHz}), "");
  EXPECT_EQ(refusal("800MHz", {300_MHz, 600_MHz, 700_MHz, 1200_MHz}),
            "--clocks: the device has no clock 800 MHz; the nearest are 700 MHz and 1.2 GHz");
}

// Drivers report 1597.5 as 1597.
TEST(ClockChoice, ClocksAreRoundedAtTheEndsOfTheRange) {
  for (const char* const fine : {"134.5MHz", "135MHz", "1597MHz", "1598MHz"})
    EXPECT_EQ(refusal(fine), "") << fine;
  for (const char* const beyond : {"134MHz", "1599MHz"})
    EXPECT_NE(refusal(beyond).find("is outside the range of the device"), std::string::npos) << beyond;
}

TEST(ClockChoice, TheDefaultClockNeedsNoList) {
  EXPECT_EQ(mhz(chosen_clocks(DefaultClock{}, {})), std::vector<double>{0});
  EXPECT_EQ(refusal("3", {}), "the device lists no clocks; use --clocks default");
}

TEST(ClockChoice, TheToleranceIsHalfAStep) {
  EXPECT_EQ(clock_tolerance(900_MHz, grid()), Hertz{3.75e6});
  EXPECT_EQ(clock_tolerance(135_MHz, grid()), Hertz{3.75e6});
  EXPECT_EQ(clock_tolerance(900_MHz, {}), 1_MHz);
  EXPECT_EQ(clock_tolerance(900_MHz, {900_MHz, 901_MHz}), 1_MHz);
}

}  // namespace
}  // namespace ergon::sweep
