#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace ergon::report {

// Checks that hold in every document, whatever its numbers mean:
// - all numbers are finite;
// - {value, low, high} contains its value, and {low, high} is in order; lists element by element;
// - times, powers, energies, clocks and sizes are not negative, except energy above idle;
// - shares lie between 0 and 1;
// - energy of events, idle GPUs and the rest adds up to the total.
// Differences and errors, which may be negative, have other names.
//
// Errors: internal, with the path of the first number that fails. Such a number is a defect of Ergon and is
// not printed.
Result<> check_sanity(const nlohmann::ordered_json& body);

}  // namespace ergon::report
