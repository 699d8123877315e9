#pragma once

#include <map>
#include <string>
#include <vector>

#include "calibrate/measured.h"
#include "device/twin/specification.h"

namespace ergon::calibrate {

// One number that was measured beside the twin's.
struct Comparison {
  std::string device, table, quantity;
  std::string name;  // of the network or application
  double expected = 0, measured = 0;
  bool fitted = false;  // it took part in the twin's calibration

  double error() const { return expected / measured - 1; }
};

using Twins = std::map<std::string, device::Specification>;

// Below this the host's speed decides, which differed by a factor of two from run to run.
inline constexpr std::int64_t kLeastBatch = 16;
// Below this some GPUs run at half the speed that their clock implies.
inline constexpr Hertz kLeastClock{510e6};

// Every comparison that the tables allow: time, power and energy of networks, slowdown under power limits,
// time and power over clock of applications.
std::vector<Comparison> compare(const Measured& measured, const Twins& twins);

// Of one device, table and quantity.
struct Agreement {
  std::string device, table, quantity;
  std::size_t rows_fitted = 0, rows_held_back = 0;
  double mape_fitted = 0, mape_held_back = 0;  // mean of the absolute relative errors
};
std::vector<Agreement> agreements(const std::vector<Comparison>& comparisons);

}  // namespace ergon::calibrate
