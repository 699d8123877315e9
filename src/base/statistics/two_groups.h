#pragma once

#include <optional>
#include <span>

namespace ergon::statistics {

struct Group {
  double weight = 0;  // share of the values
  double mean = 0;
  double deviation = 0;
};

// A mixture of two normal distributions, such as idle and busy power.
struct TwoGroups {
  Group low;
  Group high;
  double threshold = 0;  // between the means, where both groups are equally likely
  double separation =
      0;  // Ashman's D: distance of the means over their mean deviation; above 2 is a clear split
  double bic_advantage = 0;  // BIC of one group minus BIC of two; positive when two fit better

  // True if there are two groups, not one group cut in half.
  bool clear() const { return bic_advantage > 0 && separation > 2; }
};

// Whether the variances of the groups may differ. Equal variances are more robust where tails overlap: a wide
// group can enclose a narrow one.
enum class GroupVariances { free, equal };

// Splits where the squared distance within the groups is smallest (exact), then refines the split as a normal
// mixture by expectation maximization. Absent for fewer than four values or fewer than two distinct ones.
std::optional<TwoGroups> split_in_two(std::span<const double> values,
                                      GroupVariances variances = GroupVariances::free);

}  // namespace ergon::statistics
