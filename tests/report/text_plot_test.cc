#include "report/text_plot.h"

#include <sstream>

#include <gtest/gtest.h>

namespace ergon::report {
namespace {

std::vector<std::string> plot_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(ScatterPlot, PutsPointsWhereTheyBelong) {
  const std::vector<double> x{0, 10, 10, 5}, y{0, 100, 100, 50};
  const auto lines =
      plot_lines(scatter_plot(x, y, {}, {.columns = 32, .rows = 5, .x_title = "clock", .y_title = "W"}));
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0], "W");
  EXPECT_EQ(lines[1], "      100 |                    :");
  EXPECT_EQ(lines[3], "       50 |          .");
  EXPECT_EQ(lines[5], "        0 |.");
  EXPECT_EQ(lines[6], "          +---------------------");
  EXPECT_EQ(lines[7], "           0      clock       10");
}

TEST(ScatterPlot, DrawsTheCurveOverThePointsAndTheBandBeneath) {
  const std::vector<double> x{0, 10}, y{0, 100};
  const std::vector<statistics::LoessPoint> curve{{.x = 0, .fit = 50, .low = 25, .high = 75},
                                                  {.x = 10, .fit = 100, .low = 75, .high = 125}};
  const auto lines = plot_lines(scatter_plot(x, y, curve, {.columns = 32, .rows = 5}));
  EXPECT_EQ(lines[1],
            "      100 |                    #");  // above the point; the band's upper edge lies outside
  EXPECT_EQ(lines[2], "          |-                   -");
  EXPECT_EQ(lines[3], "       50 |#");
  EXPECT_EQ(lines[4], "          |-");
  EXPECT_EQ(lines[5], "        0 |.");
}

// Axes of equal values get the length 1, so the points are in the lower left corner.
TEST(ScatterPlot, EqualPointsAreDrawnInTheCorner) {
  const std::vector<double> x{3, 3}, y{7, 7};
  const auto lines = plot_lines(scatter_plot(x, y, {}, {.columns = 32, .rows = 5, .x_title = "t"}));
  const std::vector<std::string> expected{"",
                                          "        8 |",
                                          "          |",
                                          "      7.5 |",
                                          "          |",
                                          "        7 |:",
                                          "          +---------------------",
                                          "           3         t         4"};
  EXPECT_EQ(lines, expected);
}

}  // namespace
}  // namespace ergon::report
