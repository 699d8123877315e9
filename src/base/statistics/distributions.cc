#include "base/statistics/distributions.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "base/contract.h"

namespace ergon::statistics {
namespace {

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated from the
// front by the modified Lentz method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kPrecision = 1e-16;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double fraction = d;
  for (int m = 1; m <= 1000; ++m) {
    for (const bool even : {true, false}) {
      const double numerator = even ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                    : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 + numerator * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + numerator / c;
      if (std::abs(c) < kTiny) c = kTiny;
      fraction *= c * d;
    }
    if (std::abs(c * d - 1) < kPrecision) break;
  }
  return fraction;
}

// std::lgamma returns the sign in a global variable and is not thread-safe.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// Regularized incomplete beta function of x = 1 - y. Takes both, so that neither loses digits near one.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double log_x = x < 0.5 ? std::log(x) : std::log1p(-y);
  const double log_y = y < 0.5 ? std::log(y) : std::log1p(-x);
  const double log_front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log_x + b * log_y;
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * beta_fraction(a, b, x) / a;
  return 1 - std::exp(log_front) * beta_fraction(b, a, y) / b;
}

// Inverts an increasing function by bisection to the last bit: slow, but without tuning parameters.
template <typename Function>
double inverse(Function increasing, double p, double low, double high) {
  while (increasing(low) > p) low *= 2;
  while (increasing(high) < p) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (increasing(middle) < p ? low : high) = middle;
  }
  return high;
}

}  // namespace

double normal_cdf(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

double normal_quantile(double p) {
  ERGON_EXPECTS(p > 0 && p < 1);
  if (p > 0.5) return -normal_quantile(1 - p);
  if (p == 0.5) return 0;
  return inverse(normal_cdf, p, -1, 1);
}

double student_t_cdf(double t, double degrees) {
  ERGON_EXPECTS(degrees > 0);
  const double square = t * t;
  const double tail =
      incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square)) / 2;
  return t < 0 ? tail : 1 - tail;
}

double student_t_quantile(double p, double degrees) {
  ERGON_EXPECTS(p > 0 && p < 1 && degrees > 0);
  // The lower tail keeps digits that 1 - tail would lose.
  if (p > 0.5) return -student_t_quantile(1 - p, degrees);
  if (p == 0.5) return 0;
  return inverse([degrees](double t) { return student_t_cdf(t, degrees); }, p, -1, 1);
}

}  // namespace ergon::statistics
