#pragma once

#include <optional>
#include <span>

namespace ergon::statistics {

struct Group {
  double weight = 0;  // share of the values
  double mean = 0;
  double deviation = 0;
};

// Values seen as a mixture of two normal groups, such as idle and busy power.
struct TwoGroups {
  Group low;
  Group high;
  double threshold = 0;  // between the means, where a value belongs to either with equal probability
  double separation =
      0;  // Ashman's D: distance of the means over their mean deviation; above 2 is a clear split
  double bic_advantage = 0;  // of two groups over one; positive when the data ask for two

  // Whether there are two groups at all, rather than one that was cut in half.
  bool clear() const { return bic_advantage > 0 && separation > 2; }
};

// Whether groups may differ in width. Equal ones are the surer where tails overlap: a wide group reaches
// around a narrow one.
enum class Widths { free, equal };

// Splits at the point that leaves least squared distance within the groups (exact), and refines that as a
// normal mixture by expectation maximisation. Absent for fewer than four values or fewer than two distinct
// ones.
std::optional<TwoGroups> split_in_two(std::span<const double> values, Widths widths = Widths::free);

}  // namespace ergon::statistics
