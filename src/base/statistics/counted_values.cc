#include "base/statistics/counted_values.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"

namespace ergon::statistics {

void CountedValues::add(std::int64_t value, std::uint64_t times) {
  ERGON_EXPECTS(value >= 0);
  count_ += times;
  if (sketch_) return sketch_->add(static_cast<double>(value), static_cast<double>(times));
  counts_[value] += times;
  if (counts_.size() > kMaxDifferent) coarsen();
}

void CountedValues::coarsen() {
  sketch_.emplace();
  for (const auto& [value, times] : counts_)
    sketch_->add(static_cast<double>(value), static_cast<double>(times));
  counts_.clear();
}

void CountedValues::merge(const CountedValues& other) {
  if (other.sketch_) {
    if (!sketch_) coarsen();
    sketch_->merge(*other.sketch_);
    count_ += other.count_;
    return;
  }
  for (const auto& [value, times] : other.counts_) add(value, times);
}

std::vector<std::pair<std::int64_t, std::uint64_t>> CountedValues::counts() const {
  std::vector<std::pair<std::int64_t, std::uint64_t>> all(counts_.begin(), counts_.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<std::vector<double>> CountedValues::quantiles(std::span<const double> shares) const {
  if (count_ == 0) return std::nullopt;
  std::vector<double> answers;
  if (sketch_) {
    for (const double share : shares) answers.push_back(*sketch_->quantile(share));
    return answers;
  }
  const auto ascending = counts();
  std::size_t at = 0;
  std::uint64_t up_to = ascending[0].second;  // number of values <= `at`
  for (const double share : shares) {
    ERGON_EXPECTS(share >= 0 && share <= 1);
    const double place = share * static_cast<double>(count_ - 1);
    const auto lower = static_cast<std::uint64_t>(place);
    const double part = place - static_cast<double>(lower);
    while (up_to <= lower) up_to += ascending[++at].second;
    const auto value = static_cast<double>(ascending[at].first);
    const bool next_is_larger = up_to == lower + 1 && at + 1 < ascending.size();
    const double next = next_is_larger ? static_cast<double>(ascending[at + 1].first) : value;
    answers.push_back(value + (next - value) * part);
  }
  return answers;
}

std::optional<double> CountedValues::quantile(double share) const {
  const auto answers = quantiles({&share, 1});
  if (!answers) return std::nullopt;
  return answers->front();
}

CountedValues::Above CountedValues::above(double limit) const {
  Above above;
  const auto take = [&](double value, double times) {
    if (!(value > limit)) return;
    above.count += times;
    above.excess += (value - limit) * times;
  };
  if (sketch_) {
    sketch_->each([&](double value, double times) { take(value, times); });
  } else {
    for (const auto& [value, times] : counts()) take(static_cast<double>(value), static_cast<double>(times));
  }
  return above;
}

CountedValues CountedValues::of(const QuantileSketch& sketch) {
  CountedValues values;
  values.sketch_ = sketch;
  values.count_ = static_cast<std::uint64_t>(std::llround(sketch.count()));
  return values;
}

}  // namespace ergon::statistics
