#include "base/statistics/loess.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/statistics/distributions.h"

// The fit at x is linear in the observations: fit(x) = sum l_i(x) y_i. Everything about its uncertainty
// follows from the weights l_i, collected in the matrix L with one row per observation:
//
//   sigma^2 = sum of squared residuals / delta1      delta1 = tr((I-L)(I-L)^T) = n - 2 tr(L) + tr(L L^T)
//   se(x)   = sigma * |l(x)|                          delta2 = tr(((I-L)(I-L)^T)^2)
//   band    = fit(x) +- t(delta1^2 / delta2) * se(x)
//
// delta2 costs n^3. Beyond kExact points delta1 replaces it, which changes the t quantile in the fourth
// digit. Beyond kEvery points fit, leverage and |l|^2, all smooth in x, are computed at a few hundred points
// and interpolated for the residuals.

namespace ergon::statistics {
namespace {

constexpr std::size_t kExact = 500;
constexpr std::size_t kEvery = 3000;
constexpr std::size_t kGridPoints = 301;

double tricube(double relative) {
  const double u = 1 - relative * relative * relative;
  return u > 0 ? u * u * u : 0;
}

}  // namespace

// The local fit at one x: which observations it used and with what weight.
struct Loess::Local {
  double fit = 0;
  std::size_t first = 0;        // index of the first observation used
  std::vector<double> weights;  // l_i of the observations from `first`
  double leverage = 0;          // weight of an observation at exactly this x

  double squared_norm() const {
    return std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
  }
};

Result<Loess> Loess::fit(std::span<const double> x, std::span<const double> y, const LoessOptions& options) {
  ERGON_EXPECTS(x.size() == y.size());
  ERGON_EXPECTS(options.degree >= 0 && options.degree <= 2 && options.span > 0);
  ERGON_EXPECTS(options.confidence > 0 && options.confidence < 1);
  const auto used = static_cast<double>(x.size()) * std::min(1.0, options.span);
  if (x.size() < 4 || used < options.degree + 1) {
    return fail(Errc::invalid_input, "{} points are too few for a local fit of degree {} with span {}",
                x.size(), options.degree, options.span);
  }
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  Loess loess;
  loess.options_ = options;
  for (const std::size_t i : order) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      return fail(Errc::invalid_input, "point {} is not a finite number", i + 1);
    }
    loess.x_.push_back(x[i]);
    loess.y_.push_back(y[i]);
  }
  if (loess.x_.front() == loess.x_.back())
    return fail(Errc::invalid_input, "all {} points have the same x", x.size());
  loess.estimate_noise();
  if (!(loess.degrees_of_freedom_ > 0)) {
    return fail(Errc::invalid_input,
                "{} points leave no degrees of freedom for the residual variance with span {}", x.size(),
                options.span);
  }
  loess.t_quantile_ = student_t_quantile(0.5 + options.confidence / 2, loess.degrees_of_freedom_);
  return loess;
}

// The observations nearest to one x and their kernel weights.
struct Loess::Window {
  std::size_t first = 0;
  std::vector<double> kernel;
  double total = 0;  // sum of the kernel weights
  double reach = 0;  // where the kernel ends
};

Loess::Window Loess::window_at(double at) const {
  const std::size_t n = x_.size();
  const auto wanted = static_cast<std::size_t>(static_cast<double>(n) * std::min(1.0, options_.span) + 1e-5);
  const std::size_t neighbors = std::clamp<std::size_t>(wanted, 1, n);

  // The window slides right while the observation entering is nearer than the one leaving.
  const auto here = static_cast<std::size_t>(std::lower_bound(x_.begin(), x_.end(), at) - x_.begin());
  std::size_t first = here > neighbors ? here - neighbors : 0;
  while (first + neighbors < n && x_[first + neighbors] - at < at - x_[first]) ++first;
  std::size_t last = first + neighbors;
  Window window;
  window.reach = std::max(std::abs(at - x_[first]), std::abs(x_[last - 1] - at));
  window.reach *= std::sqrt(std::max(1.0, options_.span));  // R widens the squared distance

  const auto weigh = [&](auto weight_of) {
    window.first = first;
    window.kernel.resize(last - first);
    for (std::size_t i = first; i < last; ++i) window.kernel[i - first] = weight_of(std::abs(x_[i] - at));
    window.total = std::accumulate(window.kernel.begin(), window.kernel.end(), 0.0);
  };
  if (window.reach > 0) weigh([&](double distance) { return tricube(distance / window.reach); });
  if (!(window.total > 0)) {
    // Ties: all nearest points coincide with `at`, or all lie on the edge of the kernel. They get equal
    // weights.
    while (first > 0 && at - x_[first - 1] <= window.reach) --first;
    while (last < n && x_[last] - at <= window.reach) ++last;
    weigh([](double) { return 1.0; });
  }
  return window;
}

// The polynomial is expanded in polynomials that are orthogonal under the kernel: 1, v and p2(v), with v
// measured from the weighted center of the window in units of its reach. Normal equations in powers of (x -
// at) lose digits where all nearest points are far to one side, as in a gap of the data.
Loess::Local Loess::local_fit(double at) const {
  const auto [first, kernel, total, reach] = window_at(at);
  const double unit = reach > 0 ? reach : 1;
  double center = 0;  // measured from `at`, so that large offsets of x do not cost digits
  int distinct = 0;
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    const std::size_t i = first + k;
    center += kernel[k] / total * (x_[i] - at);
    if (kernel[k] > 0 && (distinct == 0 || x_[i] != x_[i - 1])) ++distinct;
  }
  std::vector<double> v(kernel.size());
  double second_moment = 0, third_moment = 0;
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    v[k] = ((x_[first + k] - at) - center) / unit;
    second_moment += kernel[k] * v[k] * v[k];
    third_moment += kernel[k] * v[k] * v[k] * v[k];
  }
  // Fewer distinct x than coefficients leave a lower degree.
  const int degree = std::min(options_.degree, distinct - 1);
  const auto p2 = [&, m2 = second_moment, m3 = third_moment, m0 = total](double u) {
    return u * u - m3 / m2 * u - m2 / m0;
  };
  double p2_norm = 0;
  for (std::size_t k = 0; k < kernel.size() && degree == 2; ++k) p2_norm += kernel[k] * p2(v[k]) * p2(v[k]);

  const double v_here = -center / unit;
  const auto response = [&, m0 = total](double u) {
    double sum = 1 / m0;
    if (degree >= 1) sum += v_here * u / second_moment;
    if (degree == 2) sum += p2(v_here) * p2(u) / p2_norm;
    return sum;
  };
  Local local;
  local.first = first;
  local.leverage = response(v_here);
  local.weights.resize(kernel.size());
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    local.weights[k] = kernel[k] * response(v[k]);
    local.fit += local.weights[k] * y_[first + k];
  }
  return local;
}

void Loess::estimate_noise() {
  const std::size_t n = x_.size();
  double squares = 0;
  double delta1 = 0;
  if (n <= kEvery) {
    std::vector<std::vector<double>> residual_rows;  // I - L, dense, only while delta2 needs it
    for (std::size_t i = 0; i < n; ++i) {
      const Local local = local_fit(x_[i]);
      const double residual = y_[i] - local.fit;
      squares += residual * residual;
      const double own =
          i >= local.first && i < local.first + local.weights.size() ? local.weights[i - local.first] : 0;
      delta1 += 1 - 2 * own + local.squared_norm();
      if (n > kExact) continue;
      std::vector<double>& row = residual_rows.emplace_back(n, 0.0);
      for (std::size_t k = 0; k < local.weights.size(); ++k) row[local.first + k] = -local.weights[k];
      row[i] += 1;
    }
    double delta2 = 0;
    for (std::size_t i = 0; i < residual_rows.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double product = std::inner_product(residual_rows[i].begin(), residual_rows[i].end(),
                                                  residual_rows[j].begin(), 0.0);
        delta2 += (i == j ? 1 : 2) * product * product;
      }
    }
    degrees_of_freedom_ = n <= kExact && delta2 > 0 ? delta1 * delta1 / delta2 : delta1;
  } else {
    struct GridPoint {
      double x, fit, cost;
    };
    std::vector<GridPoint> grid;
    for (std::size_t k = 0; k < kGridPoints; ++k) {
      const double at = x_[k * (n - 1) / (kGridPoints - 1)];
      if (!grid.empty() && grid.back().x == at) continue;
      const Local local = local_fit(at);
      grid.push_back({at, local.fit, 1 - 2 * local.leverage + local.squared_norm()});
    }
    std::size_t right = 1;
    for (std::size_t i = 0; i < n; ++i) {
      while (right + 1 < grid.size() && grid[right].x < x_[i]) ++right;
      const GridPoint& a = grid[right - 1];
      const GridPoint& b = grid[right];
      const double share = (x_[i] - a.x) / (b.x - a.x);
      const double residual = y_[i] - std::lerp(a.fit, b.fit, share);
      squares += residual * residual;
      delta1 += std::lerp(a.cost, b.cost, share);
    }
    degrees_of_freedom_ = delta1;
  }
  residual_deviation_ = delta1 > 0 ? std::sqrt(squares / delta1) : 0;
  // A fit through every point leaves rounding errors and no degrees of freedom.
  if (delta1 < 1e-9 * static_cast<double>(n)) degrees_of_freedom_ = 0;
}

LoessPoint Loess::at(double x) const {
  const Local local = local_fit(x);
  const double error = residual_deviation_ * std::sqrt(local.squared_norm());
  return {x, local.fit, error, local.fit - t_quantile_ * error, local.fit + t_quantile_ * error};
}

std::vector<LoessPoint> Loess::curve(std::size_t points) const {
  ERGON_EXPECTS(points >= 2);
  std::vector<LoessPoint> result;
  for (std::size_t i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    result.push_back(at(std::lerp(x_.front(), x_.back(), share)));
  }
  return result;
}

}  // namespace ergon::statistics
