// Nelder and Mead, A simplex method for function minimization (1965), with n + 1 points. The worst point is
// reflected at the centroid of the others; expanded if that improves, contracted if not. A degenerate simplex
// makes no progress, so the search restarts a few times around the best point.

#include "calibrate/simplex.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/contract.h"

namespace ergon::calibrate {
namespace {

using Point = std::vector<double>;

struct Vertex {
  Point at;
  double value = 0;
};

class Search {
 public:
  Search(const std::function<double(std::span<const double>)>& function, std::span<const SearchRange> ranges,
         const std::stop_token& stop)
      : function_(function), ranges_(ranges), stop_(stop) {}

  Vertex from(const Point& start, double reach, int evaluations) {
    left_ = evaluations;
    spread(start, reach);
    while (left_ > 0 && !stop_.stop_requested() && !flat()) step();
    sort();
    return vertices_.front();
  }

 private:
  Vertex evaluated(Point at) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::clamp(at[i], ranges_[i].min, ranges_[i].max);
    --left_;
    const double value = function_(at);
    return {std::move(at), std::isfinite(value) ? value : HUGE_VAL};
  }

  void spread(const Point& start, double reach) {
    vertices_ = {evaluated(start)};
    for (std::size_t i = 0; i < start.size(); ++i) {
      Point at = start;
      const double by = reach * (ranges_[i].max - ranges_[i].min);
      at[i] += at[i] + by <= ranges_[i].max ? by : -by;
      vertices_.push_back(evaluated(std::move(at)));
    }
  }

  void sort() {
    std::sort(vertices_.begin(), vertices_.end(),
              [](const Vertex& a, const Vertex& b) { return a.value < b.value; });
  }

  bool flat() {
    sort();
    return vertices_.back().value - vertices_.front().value <= 1e-9 * std::fabs(vertices_.front().value);
  }

  // The worst point reflected at the centroid of the others, with the distance times `factor`.
  Point reflection(const Point& centroid, double factor) const {
    Point at = centroid;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += factor * (centroid[i] - vertices_.back().at[i]);
    return at;
  }

  void step() {
    const std::size_t n = vertices_.size() - 1;
    Point centroid(n, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t i = 0; i < n; ++i) centroid[i] += vertices_[v].at[i] / static_cast<double>(n);
    }
    Vertex reflected = evaluated(reflection(centroid, 1));
    if (reflected.value < vertices_.front().value) {
      Vertex expanded = evaluated(reflection(centroid, 2));
      vertices_.back() = expanded.value < reflected.value ? std::move(expanded) : std::move(reflected);
    } else if (reflected.value < vertices_[n - 1].value) {
      vertices_.back() = std::move(reflected);
    } else {
      Vertex contracted = evaluated(reflection(centroid, -0.5));
      if (contracted.value < vertices_.back().value) {
        vertices_.back() = std::move(contracted);
      } else {
        shrink();
      }
    }
  }

  void shrink() {
    for (std::size_t v = 1; v < vertices_.size(); ++v) {
      Point at = vertices_[v].at;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] = (at[i] + vertices_[0].at[i]) / 2;
      vertices_[v] = evaluated(std::move(at));
    }
  }

  const std::function<double(std::span<const double>)>& function_;
  std::span<const SearchRange> ranges_;
  const std::stop_token& stop_;
  std::vector<Vertex> vertices_;
  int left_ = 0;
};

}  // namespace

Minimum minimize(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                 std::span<const SearchRange> ranges, int evaluations, const std::stop_token& stop) {
  ERGON_EXPECTS(start.size() == ranges.size() && !start.empty());
  constexpr int kRounds = 4;
  Search search(function, ranges, stop);
  Vertex best{std::move(start), HUGE_VAL};
  double reach = 0.2;
  for (int round = 0; round < kRounds; ++round) {
    Vertex found = search.from(best.at, reach, evaluations / kRounds);
    if (found.value < best.value) best = std::move(found);
    reach /= 2;
  }
  return {best.at, best.value};
}

}  // namespace ergon::calibrate
