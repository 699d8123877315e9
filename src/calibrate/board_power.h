#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace ergon::calibrate {

// The highest plausible power of a device: 1.5 times the highest power limit of its twin; without a twin,
// above that of all boards.
Watts max_power_of(const std::string& device);

// Checks the powers of measured tables against the boards that were measured.
class BoardPower {
 public:
  // `row`: from 0; line 1 of the table is its header. Errors: invalid_input with line and column, for a power
  // above max_power_of() the device.
  Result<> check(const std::string& device, Watts power, std::string_view column, std::size_t row);

 private:
  std::map<std::string, Watts> highest_;  // by device
};

}  // namespace ergon::calibrate
