#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calibrate/measured.h"
#include "device/twin/specification.h"

namespace ergon::calibrate {

// One measured value and the twin's value.
struct Comparison {
  std::string device, table, quantity;
  std::string name;  // network or application
  double expected = 0, measured = 0;
  bool fitted = false;                       // used in the calibration of the twin
  std::optional<device::RunKind> kind = {};  // of a network

  double error() const { return expected / measured - 1; }
};

using Twins = std::map<std::string, device::Specification>;

// Smaller batches are host-bound, and launch overhead varied by a factor of two between runs.
inline constexpr std::int64_t kMinBatch = 16;
// At lower clocks some GPUs run at half the speed that the clock implies.
inline constexpr Hertz kMinClock{510e6};

// All comparisons that the tables permit: time, power and energy of networks, slowdown under power limits,
// time and power of applications at different clocks.
std::vector<Comparison> compare(const MeasuredTables& measured, const Twins& twins);

// Accuracy of a twin for one table and quantity.
struct TwinAccuracy {
  std::string device, table, quantity;
  std::size_t rows_fitted = 0, rows_held_out = 0;
  double mape_fitted = 0, mape_held_out = 0;      // mean absolute percentage error, as a share
  std::set<device::RunKind> kinds_held_out = {};  // of the held-out networks
};
std::vector<TwinAccuracy> accuracy_by_table(const std::vector<Comparison>& comparisons);

}  // namespace ergon::calibrate
