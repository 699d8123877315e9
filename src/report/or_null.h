#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "base/units.h"

namespace ergon::report {

// A number that may be missing: itself, or null.
nlohmann::ordered_json or_null(const std::optional<double>& number);

// A quantity in SI units, or null.
template <Dimension D>
auto or_null(const std::optional<Quantity<D>>& quantity) {
  return or_null(quantity ? std::optional(quantity->si()) : std::nullopt);
}

}  // namespace ergon::report
