#include "sweep/evaluation/association.h"

#include <algorithm>
#include <vector>

#include "base/contract.h"
#include "base/statistics/bootstrap.h"
#include "base/statistics/correlation.h"

namespace ergon::sweep {
namespace {

using Indices = std::span<const std::size_t>;

// Values of a resample.
class Resampled {
 public:
  explicit Resampled(std::span<const double> values) : values_(values) {}

  const std::vector<double>& of(Indices indices) {
    drawn_.clear();
    for (const std::size_t i : indices) drawn_.push_back(values_[i]);
    return drawn_;
  }

 private:
  std::span<const double> values_;
  std::vector<double> drawn_;
};

// Ranks of a resample. The order of values is the same in all resamples, so it suffices to count how often
// each distinct value was drawn: the rank of a value is the number drawn below it plus half of those equal to
// it.
class ResampledRanks {
 public:
  explicit ResampledRanks(std::span<const double> values) {
    std::vector<double> distinct(values.begin(), values.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const double value : values) {
      const auto position = std::lower_bound(distinct.begin(), distinct.end(), value);
      positions_.push_back(static_cast<std::size_t>(position - distinct.begin()));
    }
    ranks_.resize(distinct.size());
  }

  const std::vector<double>& of(Indices indices) {
    std::fill(ranks_.begin(), ranks_.end(), 0.0);
    for (const std::size_t i : indices) ++ranks_[positions_[i]];
    double below = 0;
    for (double& rank : ranks_) {
      const double here = rank;
      rank = below + (here + 1) / 2;
      below += here;
    }
    drawn_.clear();
    for (const std::size_t i : indices) drawn_.push_back(ranks_[positions_[i]]);
    return drawn_;
  }

 private:
  std::vector<std::size_t> positions_;
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
  const auto pearson = coefficient<Resampled>(x, y, options);
  const auto spearman = coefficient<ResampledRanks>(x, y, options);
  if (!pearson || !spearman) return std::nullopt;
  return Correlation{*pearson, *spearman};
}

}  // namespace ergon::sweep
