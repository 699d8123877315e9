#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "base/units.h"

namespace ergon::report {

// The number, or null if absent.
nlohmann::ordered_json or_null(const std::optional<double>& number);

// The quantity in SI units, or null if absent.
template <Dimension D>
auto or_null(const std::optional<Quantity<D>>& quantity) {
  return or_null(quantity ? std::optional(quantity->si()) : std::nullopt);
}

}  // namespace ergon::report
