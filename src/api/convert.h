#pragma once

#include <ergon/device.h>
#include <ergon/estimate.h>
#include <ergon/measure.h>
#include <ergon/network.h>
#include <ergon/predict.h>
#include <optional>

#include "device/device.h"
#include "device/twin/precision.h"
#include "device/twin/steady_state.h"
#include "graph/cost.h"
#include "meter/measurement.h"
#include "predict/estimate/task.h"
#include "predict/prediction.h"

// Values of the public API as values of the folders behind it, and back.

namespace ergon::api {

graph::Mode mode_of(Mode mode);
device::Precision precision_of(Precision precision);
Precision public_precision(device::Precision precision);
// Absent: that of the network.
device::Precision precision_of(const std::optional<Precision>& precision, const graph::Network& network);
device::PowerField field_of(PowerField field);

DeviceIdentity identity_of(const device::Device& device);
DeviceIdentity identity_of(const device::Identity& identity, bool simulated);
DeviceCapabilities capabilities_of(const device::Capabilities& from);

// The batch, host and so on that a workload means for a network.
predict::WorkloadConfig config_of(const Workload& workload, const graph::Network& network);
// `simulated`: the values follow from a simulation.
Prediction prediction_of(const predict::Prediction& from, std::int64_t batch, bool simulated);

template <typename Q>
Estimate<Q> estimate_of(const predict::PredictedValue<Q>& value) {
  return {value.value, value.low, value.high};
}
template <typename Q>
Estimate<Q> within(Q value, Q half_width) {
  return {value, value - half_width, value + half_width};
}

Measurement measurement_of(const meter::Measurement& measured);

}  // namespace ergon::api
