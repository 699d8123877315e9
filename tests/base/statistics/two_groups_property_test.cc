#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/statistics/two_groups.h"

namespace ergon::statistics {
namespace {

using Values = std::vector<double>;

Values some_values(std::size_t count, int least, int greatest) {
  const auto whole = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(least, greatest + 1));
  return {whole.begin(), whole.end()};
}

struct Part {
  double count = 0, mean = 0, squares = 0;
};

Part part_of(const Values& values, unsigned members, bool inside) {
  Part part;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (((members >> i & 1u) != 0) == inside) {
      part.count += 1;
      part.mean += values[i];
    }
  }
  part.mean /= part.count;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (((members >> i & 1u) != 0) == inside)
      part.squares += (values[i] - part.mean) * (values[i] - part.mean);
  }
  return part;
}

// The two parts with the least squared distance within them, of all there are; now and then two ways to part
// are equally good.
std::vector<std::pair<Part, Part>> all_best_parts(const Values& values) {
  std::vector<std::pair<Part, Part>> best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned members = 1; members + 1 < 1u << values.size(); ++members) {
    const Part in = part_of(values, members, true), out = part_of(values, members, false);
    const double within = in.squares + out.squares, tie = 1e-9 * (1 + within);
    if (in.mean >= out.mean || within > least + tie) continue;
    if (within < least - tie) best.clear();
    least = std::min(least, within);
    best.emplace_back(in, out);
  }
  return best;
}

double log_likelihood(const Values& values, const Group& low, const Group& high) {
  double sum = 0;
  for (const double x : values) {
    const auto density = [x](const Group& g) {
      const double z = (x - g.mean) / g.deviation;
      return g.weight * std::exp(-z * z / 2) / g.deviation / std::sqrt(2 * std::numbers::pi);
    };
    sum += std::log(density(low) + density(high));
  }
  return sum;
}

// Groups far apart: the mixture cannot improve on the best split, so its groups are those of the split.
RC_GTEST_PROP(TwoGroupsProperty, FarApartAreTheBestOfAllSplits, ()) {
  Values values = some_values(*rc::gen::inRange<std::size_t>(2, 6), 0, 20);
  const Values high = some_values(*rc::gen::inRange<std::size_t>(2, 6), 1000, 1020);
  values.insert(values.begin(), high.begin(), high.end());
  const auto [low_part, high_part] = all_best_parts(values).front();
  const auto groups = split_in_two(values);
  RC_ASSERT(groups.has_value());
  const auto n = static_cast<double>(values.size());
  RC_ASSERT(std::abs(groups->low.weight - low_part.count / n) <= 1e-12);
  RC_ASSERT(std::abs(groups->low.mean - low_part.mean) <= 1e-9);
  RC_ASSERT(std::abs(groups->high.mean - high_part.mean) <= 1e-9);
  RC_ASSERT(groups->threshold > 20 && groups->threshold < 1000);
}

// However close the groups are, refining the best split never makes it less likely.
RC_GTEST_PROP(TwoGroupsProperty, AreAtLeastAsLikelyAsTheBestOfAllSplits, ()) {
  const Values values = some_values(*rc::gen::inRange<std::size_t>(4, 10), 0, 60);
  const auto groups = split_in_two(values);
  RC_PRE(groups.has_value());
  const double range =
      *std::max_element(values.begin(), values.end()) - *std::min_element(values.begin(), values.end());
  const auto as_group = [&](const Part& part) {
    const double variance = part.count > 1 ? part.squares / (part.count - 1) : 0;
    return Group{part.count / static_cast<double>(values.size()), part.mean,
                 std::max(range * 5e-4, std::sqrt(variance))};
  };
  double split = std::numeric_limits<double>::infinity();  // of the best ones, wherever it began
  for (const auto& [low, high] : all_best_parts(values))
    split = std::min(split, log_likelihood(values, as_group(low), as_group(high)));
  const double refined = log_likelihood(values, groups->low, groups->high);
  RC_ASSERT(refined >= split - 1e-6 * (1 + std::abs(split)));
}

RC_GTEST_PROP(TwoGroupsProperty, AreOrderedAndShareTheValues, ()) {
  const Values values = some_values(*rc::gen::inRange<std::size_t>(0, 60), 0, 60);
  const auto groups = split_in_two(values);
  const bool varied = values.size() >= 4 && std::count(values.begin(), values.end(), values[0]) !=
                                                static_cast<std::ptrdiff_t>(values.size());
  RC_ASSERT(groups.has_value() == varied);
  if (!groups) return;
  RC_ASSERT(std::abs(groups->low.weight + groups->high.weight - 1) <= 1e-9);
  RC_ASSERT(groups->low.mean <= groups->threshold && groups->threshold <= groups->high.mean);
  RC_ASSERT(groups->low.deviation > 0 && groups->high.deviation > 0);
  double mean = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  const double mixed = groups->low.weight * groups->low.mean + groups->high.weight * groups->high.mean;
  RC_ASSERT(std::abs(mixed - mean) <= 1e-9 * (1 + mean));
}

}  // namespace
}  // namespace ergon::statistics
