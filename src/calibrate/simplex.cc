// Nelder and Mead, A simplex method for function minimization (1965): n + 1 points roll downhill. The worst
// point is mirrored at the middle of the others, further out when that helps, closer in when it does not. A
// flat simplex no longer learns, so the search starts again around the best point a few times.

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
  Search(const std::function<double(std::span<const double>)>& function, std::span<const Range> ranges,
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
  Vertex measured(Point at) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::clamp(at[i], ranges_[i].least, ranges_[i].most);
    --left_;
    const double value = function_(at);
    return {std::move(at), std::isfinite(value) ? value : HUGE_VAL};
  }

  void spread(const Point& start, double reach) {
    vertices_ = {measured(start)};
    for (std::size_t i = 0; i < start.size(); ++i) {
      Point at = start;
      const double by = reach * (ranges_[i].most - ranges_[i].least);
      at[i] += at[i] + by <= ranges_[i].most ? by : -by;
      vertices_.push_back(measured(std::move(at)));
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

  // The worst point mirrored at the middle of the others, `factor` times as far.
  Point beyond(const Point& middle, double factor) const {
    Point at = middle;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += factor * (middle[i] - vertices_.back().at[i]);
    return at;
  }

  void step() {
    const std::size_t n = vertices_.size() - 1;
    Point middle(n, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t i = 0; i < n; ++i) middle[i] += vertices_[v].at[i] / static_cast<double>(n);
    }
    Vertex mirrored = measured(beyond(middle, 1));
    if (mirrored.value < vertices_.front().value) {
      Vertex further = measured(beyond(middle, 2));
      vertices_.back() = further.value < mirrored.value ? std::move(further) : std::move(mirrored);
    } else if (mirrored.value < vertices_[n - 1].value) {
      vertices_.back() = std::move(mirrored);
    } else {
      Vertex closer = measured(beyond(middle, -0.5));
      if (closer.value < vertices_.back().value) {
        vertices_.back() = std::move(closer);
      } else {
        shrink();
      }
    }
  }

  void shrink() {
    for (std::size_t v = 1; v < vertices_.size(); ++v) {
      Point at = vertices_[v].at;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] = (at[i] + vertices_[0].at[i]) / 2;
      vertices_[v] = measured(std::move(at));
    }
  }

  const std::function<double(std::span<const double>)>& function_;
  std::span<const Range> ranges_;
  const std::stop_token& stop_;
  std::vector<Vertex> vertices_;
  int left_ = 0;
};

}  // namespace

Minimum minimise(const std::function<double(std::span<const double>)>& function, std::vector<double> start,
                 std::span<const Range> ranges, int evaluations, const std::stop_token& stop) {
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
