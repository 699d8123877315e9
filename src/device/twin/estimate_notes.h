#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/twin/precision.h"
#include "device/twin/specification.h"

namespace ergon::device {

// Mean absolute error of a twin on held-out rows, as a share.
struct HeldOutError {
  std::string quantity;  // "time", "power", "energy"
  double mape = 0;
};

// Errors on held-out networks of all tables, weighted by rows; quantities without such rows are omitted.
std::vector<HeldOutError> network_errors(const Specification& gpu);

// The largest mean error of one quantity ("time") among the tables of networks; absent without held-out rows.
std::optional<double> largest_network_error(const Specification& gpu, std::string_view quantity);

// What the GPU computes instead, if it does not support the precision: "the arithmetic is fp32, storage is 16
// bits".
std::optional<std::string> substitute_arithmetic(const Specification& gpu, Precision precision);

}  // namespace ergon::device
