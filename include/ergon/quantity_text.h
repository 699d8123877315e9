#pragma once

// Quantities in text, with their unit: "1200MHz", "20ms", "250W".

#include <string_view>

#include "ergon/export.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// `name` says what the value is for, and begins the error message. Letter case of units matters (mW, MW).
// Errors: invalid_input for another kind of quantity, a number without a unit, or other text.
ERGON_API Result<Hertz> parse_hertz(std::string_view text, std::string_view name);
ERGON_API Result<Seconds> parse_seconds(std::string_view text, std::string_view name);
ERGON_API Result<Watts> parse_watts(std::string_view text, std::string_view name);

}  // namespace ergon
