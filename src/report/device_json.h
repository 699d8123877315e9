#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "calibrate/compare.h"
#include "device/twin/estimate.h"

namespace ergon::report {

// What a device is: clocks, memory, limits, and how well its twin meets measurements.
nlohmann::ordered_json device_json(const device::Specification& gpu);

// An estimate with all its operations.
nlohmann::ordered_json estimate_json(const device::Workload& workload, const device::Specification& gpu,
                                     const device::Setting& setting, const device::Estimate& estimate);

// {device, table, quantity, rows_fitted, mape_fitted, rows_held_back, mape_held_back}; a mean over no rows is
// null.
nlohmann::ordered_json agreement_json(const calibrate::Agreement& each);

}  // namespace ergon::report
