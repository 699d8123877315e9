#include "report/text_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/number_text.h"

namespace ergon::report {
namespace {

// Maps values onto cells, from the min to the max value.
class Axis {
 public:
  Axis(std::span<const double> values, int cells) : cells_(cells) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    low_ = *low;
    high_ = *high > *low ? *high : *low + 1;
  }
  int cell(double value) const {
    const double share = (value - low_) / (high_ - low_);
    return std::clamp(static_cast<int>(std::lround(share * (cells_ - 1))), 0, cells_ - 1);
  }
  bool contains(double value) const { return value >= low_ && value <= high_; }
  double at(double share) const { return std::lerp(low_, high_, share); }

 private:
  int cells_;
  double low_ = 0;
  double high_ = 1;
};

}  // namespace

std::string scatter_plot(std::span<const double> x, std::span<const double> y,
                         std::span<const statistics::LoessPoint> curve, const PlotOptions& options) {
  ERGON_EXPECTS(!x.empty() && x.size() == y.size());
  constexpr int kLabel = 9;  // "-1.234e+05" does not fit, "-1.23e+05" does
  const int columns = std::max(20, options.columns - kLabel - 2);
  const int rows = std::max(5, options.rows);
  const Axis across(x, columns);
  const Axis up(y, rows);

  std::vector<std::string> grid(static_cast<std::size_t>(rows),
                                std::string(static_cast<std::size_t>(columns), ' '));
  const auto cell = [&](double px, double py) -> char& {
    return grid[static_cast<std::size_t>(rows - 1 - up.cell(py))][static_cast<std::size_t>(across.cell(px))];
  };
  for (const auto& point : curve) {
    if (up.contains(point.low)) cell(point.x, point.low) = '-';
    if (up.contains(point.high)) cell(point.x, point.high) = '-';
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    char& c = cell(x[i], y[i]);
    c = c == '.' || c == ':' ? ':' : '.';
  }
  for (const auto& point : curve) {
    if (up.contains(point.fit)) cell(point.x, point.fit) = '#';
  }

  std::string out = fmt::format("{}\n", options.y_title);
  for (int row = 0; row < rows; ++row) {
    const bool labeled = row == 0 || row == rows - 1 || row == rows / 2;
    const double share = 1 - static_cast<double>(row) / (rows - 1);
    std::string line = fmt::format("{:>{}} |{}", labeled ? rounded_text(up.at(share), 3) : "", kLabel,
                                   grid[static_cast<std::size_t>(row)]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  out += fmt::format("{:>{}} +{}\n", "", kLabel, std::string(static_cast<std::size_t>(columns), '-'));
  const std::string left = rounded_text(across.at(0));
  const std::string right = rounded_text(across.at(1));
  const int middle = std::max(0, columns - static_cast<int>(left.size() + right.size()));
  out += fmt::format("{:>{}}  {}{:^{}}{}\n", "", kLabel, left, options.x_title, middle, right);
  return out;
}

}  // namespace ergon::report
