#include "sweep/evaluation/knee.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/contract.h"
#include "base/statistics/distributions.h"
#include "base/statistics/mean.h"

// Two lines that meet at c are one line plus a multiple of the hinge max(0, x - c). The hinge reduces the
// squared error of the line by
//
//   gain(c) = (e . hinge)^2 / |h|^2
//
// where e are the residuals of the line for y, and h the residuals of the line for the hinge. Between two
// neighboring x the same points lie right of c, so e . hinge is linear in c and |h|^2 quadratic; both follow
// from sums over those points. In every gap the best c, and every c with a given gain, therefore have closed
// forms (Hudson 1966 has the first), and no search is needed.
//
// The interval holds every c whose squared error exceeds the minimum by no more than the F quantile with 1
// and n - 4 degrees of freedom allows.
//
// Significance: without a bend, the gain at one given c has an F distribution. The best c has a larger gain
// by selection, so its p-value is multiplied by the number of positions (Bonferroni), which is conservative.
//
// Bend or curve: a parabola bends everywhere equally and has one parameter less. If its residual variance is
// not larger than that of the two lines, there is no knee.
//
// All this assumes independent errors. If the sensor drifts, or the curve has other features, neighboring
// residuals are correlated. With correlation r of neighbors, errors count (1 + r) / (1 - r) times, and
// degrees of freedom and positions are reduced by the same factor, which widens the interval.
//
// Only upward bends count: the point at which power stops rising, at a limit, is not a knee.

namespace ergon::sweep {
namespace {

constexpr double kSignificance = 0.05;

struct Parabola {
  double p0 = 0, p1 = 0, p2 = 0;
  double at(double c) const { return p0 + c * (p1 + c * p2); }
};

// One gap between neighboring x.
struct Gap {
  double begin = 0, end = 0;
  double a = 0, b = 0;  // e . hinge = a - b c
  Parabola norm;        // |h|^2

  double bend(double c) const { return a - b * c; }
  double gain(double c) const {
    const double squared = norm.at(c);
    return bend(c) > 0 && squared > 0 ? bend(c) * bend(c) / squared : 0;
  }
  bool holds(double c) const { return c >= begin && c <= end; }
};

// The points with x centered and scaled to its range, and y centered.
struct CenteredPoints {
  std::vector<double> x, y;
  double x_mean = 0, x_range = 1;
  double x_squares = 0;
  double slope = 0;          // of the single line
  std::vector<double> left;  // its residuals
  double line_error = 0;     // their sum of squares
  double y_squares = 0;

  double size() const { return static_cast<double>(x.size()); }
};

CenteredPoints prepared(std::span<const double> x, std::span<const double> y) {
  CenteredPoints points;
  points.x_mean = statistics::mean_of(x);
  points.x_range = x.back() - x.front();
  const double y_mean = statistics::mean_of(y);
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    points.x.push_back((x[i] - points.x_mean) / points.x_range);
    points.y.push_back(y[i] - y_mean);
    points.x_squares += points.x[i] * points.x[i];
    points.y_squares += points.y[i] * points.y[i];
    xy += points.x[i] * points.y[i];
  }
  points.slope = xy / points.x_squares;
  for (std::size_t i = 0; i < x.size(); ++i) {
    points.left.push_back(points.y[i] - points.slope * points.x[i]);
    points.line_error += points.left[i] * points.left[i];
  }
  return points;
}

// Gaps from the second to the last but one point: outside, a line would be fitted to one point.
std::vector<Gap> gaps_of(const CenteredPoints& points) {
  const double n = points.size(), squares = points.x_squares;
  std::vector<Gap> gaps;
  double m = 0, s1 = 0, s2 = 0, e0 = 0, e1 = 0;  // sums over the points right of the gap
  for (std::size_t i = points.x.size() - 1; i >= 2; --i) {
    const double x = points.x[i];
    m += 1;
    s1 += x;
    s2 += x * x;
    e0 += points.left[i];
    e1 += points.left[i] * x;
    if (i == points.x.size() - 1) continue;
    Gap gap{points.x[i - 1], x, e1, e0, {}};
    gap.norm.p0 = s2 - s1 * s1 / n - s2 * s2 / squares;
    gap.norm.p1 = -2 * s1 + 2 * m * s1 / n + 2 * s1 * s2 / squares;
    gap.norm.p2 = m - m * m / n - s1 * s1 / squares;
    gaps.push_back(gap);
  }
  std::reverse(gaps.begin(), gaps.end());
  return gaps;
}

struct Bend {
  double at = 0, gain = 0, hinge = 0;  // the multiple of the hinge
};

Bend best_bend(const std::vector<Gap>& gaps) {
  Bend best;
  for (const Gap& gap : gaps) {
    const auto consider = [&](double c) {
      if (gap.gain(c) > best.gain) best = {c, gap.gain(c), gap.bend(c) / gap.norm.at(c)};
    };
    consider(gap.begin);
    consider(gap.end);
    const double divisor = gap.b * gap.norm.p1 + 2 * gap.a * gap.norm.p2;
    if (divisor == 0) continue;
    const double top = -(2 * gap.b * gap.norm.p0 + gap.a * gap.norm.p1) / divisor;
    if (gap.holds(top)) consider(top);
  }
  return best;
}

// Positions in the gap where the gain equals `level`.
std::vector<double> positions_with_gain(const Gap& gap, double level) {
  const double p2 = gap.b * gap.b - level * gap.norm.p2;
  const double p1 = -2 * gap.a * gap.b - level * gap.norm.p1;
  const double p0 = gap.a * gap.a - level * gap.norm.p0;
  std::vector<double> positions;
  const double discriminant = p1 * p1 - 4 * p2 * p0;
  if (discriminant < 0) return positions;
  const double half = -(p1 + std::copysign(std::sqrt(discriminant), p1)) / 2;
  for (const double position : {p2 == 0 ? NAN : half / p2, half == 0 ? NAN : p0 / half}) {
    if (gap.holds(position) && gap.bend(position) > 0) positions.push_back(position);
  }
  return positions;
}

// The minimum and maximum position whose gain is at least `level`.
std::pair<double, double> reach(const std::vector<Gap>& gaps, double level, double estimate) {
  if (level <= 0) return {gaps.front().begin, gaps.back().end};
  double low = estimate, high = estimate;
  for (const Gap& gap : gaps) {
    std::vector<double> positions = positions_with_gain(gap, level);
    for (const double end : {gap.begin, gap.end}) {
      if (gap.gain(end) >= level) positions.push_back(end);
    }
    for (const double position : positions) {
      low = std::min(low, position);
      high = std::max(high, position);
    }
  }
  return {low, high};
}

// Autocorrelation of neighboring residuals, at least 0.
double autocorrelation(const CenteredPoints& points, const Bend& bend) {
  // Residuals of the hinge: the line is fitted together with it.
  double h_mean = 0, hx = 0;
  for (const double x : points.x) {
    h_mean += std::max(0.0, x - bend.at) / points.size();
    hx += std::max(0.0, x - bend.at) * x / points.x_squares;
  }
  double before = 0, products = 0, squares = 0;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double hinge = std::max(0.0, points.x[i] - bend.at) - h_mean - hx * points.x[i];
    const double residual = points.left[i] - bend.hinge * hinge;
    products += before * residual;
    squares += residual * residual;
    before = residual;
  }
  if (!(products > 0)) return 0;
  // Correct the bias from the four fitted parameters: approximately this much, as in Kendall (1954) for one
  // parameter; simulations confirm it.
  const double raw = products / squares;
  constexpr double kMax = 0.95;
  return std::min(kMax, raw + 4 * (1 + raw) / points.size());
}

// The squared error of a parabola.
double parabola_error(const CenteredPoints& points) {
  const double n = points.size();
  double cubes = 0;
  for (const double x : points.x) cubes += x * x * x;
  double product = 0, norm = 0;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double x = points.x[i];
    const double square = x * x - points.x_squares / n - cubes / points.x_squares * x;
    product += points.left[i] * square;
    norm += square * square;
  }
  return points.line_error - product * product / norm;
}

// The slope of the line left of the hinge, in the units of `points`.
double slope_below(const CenteredPoints& points, const Bend& bend) {
  double hx = 0;
  for (const double x : points.x) hx += std::max(0.0, x - bend.at) * x;
  return points.slope - bend.hinge * hx / points.x_squares;
}

}  // namespace

std::optional<Knee> find_knee(std::span<const double> x, std::span<const double> y, double confidence) {
  ERGON_EXPECTS(x.size() == y.size() && confidence > 0 && confidence < 1);
  if (x.size() < kKneePoints) return std::nullopt;
  const CenteredPoints points = prepared(x, y);
  constexpr double kRounding = 1e-22;
  if (!(points.line_error > kRounding * points.y_squares)) return std::nullopt;
  const std::vector<Gap> gaps = gaps_of(points);
  const Bend best = best_bend(gaps);
  if (!(best.gain > 0)) return std::nullopt;

  const double n = points.size();
  const double error = std::max(points.line_error - best.gain, kRounding * points.y_squares);
  Knee knee;
  knee.autocorrelation = autocorrelation(points, best);
  const double wider = (1 + knee.autocorrelation) / (1 - knee.autocorrelation);
  const double clarity = std::sqrt(best.gain / (error * wider / (n - 3)));
  knee.p = std::min(1.0, std::max(1.0, (n - 2) / wider) *
                             statistics::student_t_cdf(-clarity, std::max(1.0, (n - 3) / wider)));
  if (knee.p > kSignificance || parabola_error(points) / (n - 3) <= error / (n - 4)) return std::nullopt;

  const double freedom = std::max(1.0, (n - 4) / wider);
  const double t = statistics::student_t_quantile(0.5 + confidence / 2, freedom);
  const auto [low, high] = reach(gaps, best.gain - error * t * t * wider / (n - 4), best.at);
  const auto outside = [&](double c) { return points.x_mean + points.x_range * c; };
  knee.at = outside(best.at);
  knee.low = outside(low);
  knee.high = outside(high);
  knee.slope_below = slope_below(points, best) / points.x_range;
  knee.slope_above = knee.slope_below + best.hinge / points.x_range;
  knee.residual_deviation = std::sqrt(error / (n - 4));
  return knee;
}

}  // namespace ergon::sweep
