#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace ergon::report {

// Checks that hold in every document, whatever its numbers mean: all are finite; {value, low, high} contains
// its value; times, powers, energies, clocks and sizes are not negative; shares lie between 0 and 1.
// Differences and errors, which may be negative, have other names.
//
// Errors: internal, with the path of the first number that fails. Such a number is a defect of Ergon and is
// not printed.
Result<> check_sanity(const nlohmann::ordered_json& body);

}  // namespace ergon::report
