#pragma once

#include <optional>
#include <span>

namespace ergon::statistics {

// The p-quantile, 0 <= p <= 1, by linear interpolation between order statistics: definition 7 of Hyndman and
// Fan (1996), the default of R and NumPy. Absent for no values.
std::optional<double> quantile(std::span<const double> values, double p);
std::optional<double> quantile_of_sorted(std::span<const double> ascending, double p);
std::optional<double> median(std::span<const double> values);

}  // namespace ergon::statistics
