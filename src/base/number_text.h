#pragma once

#include <string>

namespace ergon {

// Numbers that people read: rounded to significant digits and without an exponent between 1e-5 and 1e15.

// "20370" for 20,372.9.
std::string rounded_text(double number, int digits = 4);

// The same with digit groups from 10,000: "20,370".
std::string grouped_text(double number, int digits = 4);

}  // namespace ergon
