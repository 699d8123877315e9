#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "calibrate/compare.h"
#include "device/twin/estimate.h"

namespace ergon::report {

// A twin: clocks, memory, power limits, sensors and accuracy on measured tables.
nlohmann::ordered_json device_json(const device::Specification& gpu);

// The steady state of a workload with its operations.
nlohmann::ordered_json estimate_json(const device::Workload& workload, const device::Specification& gpu,
                                     const device::ClockAndLimit& setting, const device::Estimate& estimate);

// {device, table, quantity, rows_fitted, mape_fitted, rows_held_out, mape_held_out}; mape is null without
// rows.
nlohmann::ordered_json accuracy_json(const calibrate::TwinAccuracy& each);

}  // namespace ergon::report
