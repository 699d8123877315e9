#include "sweep/evaluation/association.h"

#include <algorithm>
#include <vector>

#include "base/contract.h"
#include "base/statistics/bootstrap.h"
#include "base/statistics/correlation.h"

namespace ergon::sweep {
namespace {

using Indices = std::span<const std::size_t>;

// The values of resamples.
class Drawn {
 public:
  explicit Drawn(std::span<const double> values) : values_(values) {}

  const std::vector<double>& of(Indices indices) {
    drawn_.clear();
    for (const std::size_t i : indices) drawn_.push_back(values_[i]);
    return drawn_;
  }

 private:
  std::span<const double> values_;
  std::vector<double> drawn_;
};

// The ranks of resamples. Which of two values is larger does not change from one to the next, so it is enough
// to count how often each place of the sorted values was drawn: a value's rank is the number drawn below it,
// and half of those at its place.
class DrawnRanks {
 public:
  explicit DrawnRanks(std::span<const double> values) {
    std::vector<double> distinct(values.begin(), values.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const double value : values) {
      const auto place = std::lower_bound(distinct.begin(), distinct.end(), value);
      places_.push_back(static_cast<std::size_t>(place - distinct.begin()));
    }
    ranks_.resize(distinct.size());
  }

  const std::vector<double>& of(Indices indices) {
    std::fill(ranks_.begin(), ranks_.end(), 0.0);
    for (const std::size_t i : indices) ++ranks_[places_[i]];
    double below = 0;
    for (double& rank : ranks_) {
      const double here = rank;
      rank = below + (here + 1) / 2;
      below += here;
    }
    drawn_.clear();
    for (const std::size_t i : indices) drawn_.push_back(ranks_[places_[i]]);
    return drawn_;
  }

 private:
  std::vector<std::size_t> places_;
  std::vector<double> ranks_;
  std::vector<double> drawn_;
};

template <typename Drawing>
std::optional<Coefficient> coefficient(std::span<const double> x, std::span<const double> y,
                                       const AssociationOptions& options) {
  Drawing drawn_x(x), drawn_y(y);
  const auto statistic = [&](Indices indices) {
    return statistics::pearson(drawn_x.of(indices), drawn_y.of(indices));
  };
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.push_back(i);
  const auto estimate = statistic(all);
  if (!estimate) return std::nullopt;
  Coefficient result{*estimate, {}, {}};
  if (x.size() < kIntervalPoints) return result;
  const auto interval = statistics::bootstrap(
      x.size(), statistic, {options.resamples, options.confidence, options.seed, options.stop});
  if (interval) {
    result.low = interval->low;
    result.high = interval->high;
  }
  return result;
}

}  // namespace

std::optional<Correlation> correlate(std::span<const double> x, std::span<const double> y,
                                     const AssociationOptions& options) {
  ERGON_EXPECTS(x.size() == y.size());
  if (x.size() < kCorrelationPoints) return std::nullopt;
  const auto pearson = coefficient<Drawn>(x, y, options);
  const auto spearman = coefficient<DrawnRanks>(x, y, options);
  if (!pearson || !spearman) return std::nullopt;
  return Correlation{*pearson, *spearman};
}

}  // namespace ergon::sweep
