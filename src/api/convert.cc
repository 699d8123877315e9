#include "api/convert.h"

#include <cmath>

#include "base/statistics/interval.h"
#include "device/twin/network_precision.h"

namespace ergon::api {
namespace {

DeviceKind public_kind(device::DeviceKind kind) {
  switch (kind) {
    case device::DeviceKind::nvml:
      return DeviceKind::gpu;
    case device::DeviceKind::rapl:
      return DeviceKind::processor;
    case device::DeviceKind::twin:
      break;
  }
  return DeviceKind::twin;
}

PowerField public_field(device::PowerField field) {
  switch (field) {
    case device::PowerField::usage:
      return PowerField::usage;
    case device::PowerField::average:
      return PowerField::average;
    case device::PowerField::instant:
      return PowerField::instant;
    case device::PowerField::samples:
      break;
  }
  return PowerField::samples;
}

PredictionSource public_source(predict::PredictionSource source) {
  switch (source) {
    case predict::PredictionSource::learned:
      return PredictionSource::learned;
    case predict::PredictionSource::calibrated:
      return PredictionSource::calibrated;
    case predict::PredictionSource::twin:
      break;
  }
  return PredictionSource::twin;
}

predict::LaunchHost internal_host(LaunchHost host) {
  switch (host) {
    case LaunchHost::native:
      return predict::LaunchHost::native;
    case LaunchHost::transformers:
      return predict::LaunchHost::transformers;
    case LaunchHost::python:
      break;
  }
  return predict::LaunchHost::python;
}

std::vector<Reason> public_reasons(const std::vector<meter::Reason>& reasons) {
  std::vector<Reason> all;
  for (const meter::Reason& each : reasons) all.push_back({each.code, each.text});
  return all;
}

DeviceMeasurement public_device_measurement(const meter::DeviceMeasurement& source) {
  const meter::SpanReport& report = source.report;
  DeviceMeasurement device;
  device.device = identity_of(report.device, report.simulated);
  const Joules half{statistics::kInterval95 * std::hypot(source.statistical.si(), source.systematic.si())};
  device.energy = within(source.energy, half);
  device.mean_power = source.mean;
  device.peak_power = source.peak;
  device.field = report.sensor ? device::name_of(report.sensor->field) : "energy_counter";
  device.period = report.period;
  device.samples = report.samples;
  device.dropped = report.dropped;
  device.counter_discrepancy = source.counter_discrepancy;
  device.min_clock = report.device_state.clock_min;
  device.max_clock = report.device_state.clock_max;
  device.min_temperature = report.device_state.temperature_min;
  device.max_temperature = report.device_state.temperature_max;
  return device;
}

}  // namespace

graph::Mode mode_of(Mode mode) {
  return mode == Mode::training ? graph::Mode::training : graph::Mode::inference;
}

device::Precision precision_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return device::Precision::fp32;
    case Precision::bf16:
      return device::Precision::bf16;
    case Precision::fp16:
      return device::Precision::fp16;
    case Precision::tf32:
      break;
  }
  return device::Precision::tf32;
}

Precision public_precision(device::Precision precision) {
  switch (precision) {
    case device::Precision::fp32:
      return Precision::fp32;
    case device::Precision::bf16:
      return Precision::bf16;
    case device::Precision::fp16:
      return Precision::fp16;
    case device::Precision::tf32:
      break;
  }
  return Precision::tf32;
}

device::Precision precision_of(const std::optional<Precision>& precision, const graph::Network& network) {
  return precision ? precision_of(*precision) : device::default_precision(network);
}

device::PowerField field_of(PowerField field) {
  switch (field) {
    case PowerField::usage:
      return device::PowerField::usage;
    case PowerField::average:
      return device::PowerField::average;
    case PowerField::instant:
      return device::PowerField::instant;
    case PowerField::samples:
      break;
  }
  return device::PowerField::samples;
}

DeviceIdentity identity_of(const device::Identity& identity, bool simulated) {
  return {identity.id, identity.uuid, identity.name, public_kind(identity.kind), simulated};
}

DeviceIdentity identity_of(const device::Device& device) {
  return identity_of(device.identity(), device.simulated());
}

DeviceCapabilities capabilities_of(const device::Capabilities& from) {
  DeviceCapabilities to;
  for (const device::PowerField each : from.power) to.power.push_back(public_field(each));
  to.energy_counter = from.energy_counter;
  to.core_clock = from.core_clock;
  to.memory_clock = from.memory_clock;
  to.supported_clocks = from.supported_clocks;
  to.temperature = from.temperature;
  to.memory_temperature = from.memory_temperature;
  to.utilization = from.utilization;
  to.memory = from.memory;
  to.event_reasons = from.event_reasons;
  to.processes = from.processes;
  to.power_limits = from.power_limit;
  to.set_power_limit = from.set_power_limit;
  to.lock_core_clock = from.lock_core_clock || from.application_clocks;
  to.lock_memory_clock = from.lock_memory_clock || from.application_clocks;
  return to;
}

predict::WorkloadConfig config_of(const Workload& workload, const graph::Network& network) {
  return {workload.batch.value_or(network.default_batch.value_or(1)), mode_of(workload.mode),
          precision_of(workload.precision, network),
          workload.host ? internal_host(*workload.host) : predict::default_launch_host(network)};
}

Prediction prediction_of(const predict::Prediction& from, std::int64_t batch, bool simulated) {
  Prediction to;
  to.source = public_source(from.source);
  to.time = estimate_of(from.time);
  to.power = estimate_of(from.power);
  to.energy = estimate_of(from.energy);
  to.energy_per_sample = estimate_of(from.energy_per_sample);
  to.batch = batch;
  to.clock = from.clock;
  to.limited = from.limited;
  to.limit_held = from.limit_held;
  to.host_bound = from.host_bound;
  to.simulated = simulated;
  return to;
}

Measurement measurement_of(const meter::Measurement& measured) {
  Measurement to;
  to.energy = within(measured.energy, measured.uncertainty);
  to.statistical = measured.statistical;
  to.duration = measured.duration;
  const bool lasted = measured.duration > Seconds{0};
  to.power = within(measured.mean, lasted ? measured.uncertainty / measured.duration : Watts{0});
  to.peak_power = measured.peak;
  to.valid = measured.valid();
  to.reasons = public_reasons(measured.reasons);
  to.notes = public_reasons(measured.notes);
  for (const meter::DeviceMeasurement& each : measured.sources)
    to.devices.push_back(public_device_measurement(each));
  to.simulated = measured.simulated;
  return to;
}

}  // namespace ergon::api
