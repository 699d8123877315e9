#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "base/statistics/interval.h"

namespace ergon::statistics {

enum class CorrelationKind : std::uint8_t { pearson, spearman };

// How the interval of a correlation is computed: by bootstrap for few pairs, and by Fisher's z for many,
// which is then as accurate and much faster.
enum class IntervalMethod : std::uint8_t { bootstrap, fisher };
IntervalMethod correlation_interval_method(std::size_t pairs);
std::string_view name_of(IntervalMethod method);  // "bootstrap", "Fisher's z"

// A correlation with its 95 % interval. `seed` is that of the bootstrap. Absent if the correlation is
// undefined, or once a stop was requested. Contract: x and y have equal lengths.
std::optional<Interval> correlation_interval(CorrelationKind kind, std::span<const double> x,
                                             std::span<const double> y, std::uint64_t seed,
                                             const std::stop_token& stop = {});

}  // namespace ergon::statistics
