#include "report/device_json.h"

#include <nlohmann/json.hpp>

#include "device/twin/twin_device.h"
#include "report/live_device_json.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

Json mean_json(double mean, std::size_t rows) { return rows > 0 ? Json(mean) : Json(nullptr); }

Json residual_json(const device::TableResidual& each) {
  return {{"table", each.table},
          {"quantity", each.quantity},
          {"rows_fitted", each.rows_fitted},
          {"mape_fitted", mean_json(each.mape_fitted, static_cast<std::size_t>(each.rows_fitted))},
          {"rows_held_out", each.rows_held_out},
          {"mape_held_out", mean_json(each.mape_held_out, static_cast<std::size_t>(each.rows_held_out))}};
}

Json residuals_json(const device::Specification& gpu) {
  Json all = Json::array();
  for (const device::TableResidual& each : gpu.residuals) all.push_back(residual_json(each));
  return all;
}

Json operation_json(const device::Operation& operation, const device::OperationEstimate& each) {
  return {{"type", operation.kind},
          {"input_shape", operation.input},
          {"detail", operation.detail},
          {"count", operation.count},
          {"time_seconds", each.activity.time.si()},
          {"gpu_seconds", each.activity.gpu.si()},
          {"energy_joules", each.energy.si()},
          {"bound", name_of(each.bound)}};
}

}  // namespace

Json device_json(const device::Specification& gpu) {
  Json peaks = Json::object();
  for (const auto& [precision, tflops] : gpu.peak_tflops) {
    peaks[std::string(name_of(precision))] = tflops * 1e12;
  }
  Json sensors = Json::array();
  for (const device::SensorModel& sensor : gpu.sensors) {
    sensors.push_back({{"field", sensor.field},
                       {"also", sensor.also},
                       {"period_seconds", sensor.period.si()},
                       {"window_seconds", sensor.window.si()},
                       {"gain", sensor.gain},
                       {"offset_watts", sensor.offset.si()}});
  }
  return {{"id", gpu.name},
          {"kind", "twin"},
          {"name", gpu.name},
          {"uuid", device::identity_of(gpu).uuid},
          {"simulated", true},
          {"title", gpu.title},
          {"chip", gpu.chip},
          {"power_limit_watts", gpu.limit.default_limit.si()},
          {"clocks",
           {{"core_min_hertz", gpu.core.min.si()},
            {"core_max_hertz", gpu.core.max.si()},
            {"core_step_hertz", gpu.core.step.si()}}},
          {"capabilities", capabilities_json(device::capabilities_of(gpu))},
          {"multiprocessors", gpu.multiprocessors},
          {"clock_min_hertz", gpu.core.min.si()},
          {"clock_max_hertz", gpu.core.max.si()},
          {"clock_step_hertz", gpu.core.step.si()},
          {"clock_switch_seconds", gpu.clock_switch.si()},
          {"peak_operations_per_second", std::move(peaks)},
          {"memory_bytes", gpu.memory.capacity.si()},
          {"bandwidth_bytes_per_second", gpu.memory.bandwidth.si()},
          {"power_limit_min_watts", gpu.limit.min.si()},
          {"power_limit_default_watts", gpu.limit.default_limit.si()},
          {"power_limit_max_watts", gpu.limit.max.si()},
          {"sensors", std::move(sensors)},
          {"accuracy", residuals_json(gpu)}};
}

Json estimate_json(const device::Workload& workload, const device::Specification& gpu,
                   const device::ClockAndLimit& setting, const device::Estimate& estimate) {
  const auto batch = static_cast<double>(workload.batch);
  const device::Activity& activity = estimate.state.activity;
  Json operations = Json::array();
  for (const device::OperationEstimate& each : estimate.operations)
    operations.push_back(operation_json(workload.operations[each.operation], each));
  Json body = {{"simulated", true},
               {"network", workload.network},
               {"device", gpu.name},
               {"mode", name_of(workload.mode)},
               {"precision", name_of(workload.precision)},
               {"batch", workload.batch},
               {"requested_clock_hertz", nullptr},
               {"requested_power_limit_watts", nullptr},
               {"time_seconds", activity.time.si()},
               {"samples_per_second", batch / activity.time.si()},
               {"power_watts", estimate.state.power.si()},
               {"energy_joules", estimate.energy.si()},
               {"energy_per_sample_joules", estimate.energy.si() / batch},
               {"clock_hertz", estimate.state.clock.si()},
               {"clock_limited", estimate.state.limited},
               {"power_limit_held", estimate.state.limits_held},
               {"temperature_celsius", estimate.state.temperature.degrees()},
               {"bound", name_of(estimate.bound)},
               {"gpu_busy_seconds", activity.gpu.si()},
               {"host_seconds", activity.host.si()},
               {"memory_bytes", estimate.memory.si()},
               {"accuracy", residuals_json(gpu)},
               {"operations", std::move(operations)}};
  if (setting.clock) body["requested_clock_hertz"] = setting.clock->si();
  if (setting.limit) body["requested_power_limit_watts"] = setting.limit->si();
  return body;
}

Json accuracy_json(const calibrate::TwinAccuracy& each) {
  return {{"device", each.device},
          {"table", each.table},
          {"quantity", each.quantity},
          {"rows_fitted", each.rows_fitted},
          {"mape_fitted", mean_json(each.mape_fitted, each.rows_fitted)},
          {"rows_held_out", each.rows_held_out},
          {"mape_held_out", mean_json(each.mape_held_out, each.rows_held_out)}};
}

}  // namespace ergon::report
