#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/input_limits.h"
#include "base/result.h"

namespace ergon {

// The only parser of JSON that comes from outside: files, sockets, responses. Depth and size are limited,
// because values are copied and written by recursion, and a value takes up to 30 times the memory of its
// text. A name that occurs twice in an object has its last value, at the first position.
//
// Json is nlohmann::json, or nlohmann::ordered_json. Errors (invalid_input), after `source`, which may be
// empty:
//   a.json:3: not JSON
//   a.json: nested deeper than 128 levels; set ERGON_INPUT_LIMITS=depth=N to raise the limit
template <typename Json>
Result<Json> parse_json(std::string_view text, std::string_view source = {},
                        const InputLimits& limits = input_limits());

extern template Result<nlohmann::json> parse_json(std::string_view, std::string_view, const InputLimits&);
extern template Result<nlohmann::ordered_json> parse_json(std::string_view, std::string_view,
                                                          const InputLimits&);

}  // namespace ergon
