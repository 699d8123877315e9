#include "report/measure_json.h"

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/statistics/interval.h"
#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

Json degrees_or_null(const std::optional<Celsius>& temperature) {
  return temperature ? Json(temperature->degrees()) : Json(nullptr);
}

Json texts(const std::vector<meter::Reason>& reasons) {
  Json all = Json::array();
  for (const meter::Reason& reason : reasons) all.push_back(reason.code + ": " + reason.text);
  return all;
}

Json sensor_json(const meter::SensorFacts& sensor) {
  return {{"period_seconds", sensor.period.si()},
          {"window_seconds", sensor.window.si()},
          {"gain", sensor.gain},
          {"gain_spread", sensor.gain_spread},
          {"offset_watts", sensor.offset.si()},
          {"offset_spread_watts", sensor.offset_spread.si()},
          {"known", sensor.known},
          {"origin", sensor.source}};
}

Json source_json(const meter::DeviceMeasurement& source) {
  const meter::SpanReport& report = source.report;
  const double sensor = source.systematic.si(), statistical = source.statistical.si();
  const meter::DeviceState& state = report.device_state;
  Json json = {{"device", report.device.id},
               {"uuid", report.device.uuid},
               {"name", report.device.name},
               {"kind", device::name_of(report.device.kind)},
               {"simulated", report.simulated},
               {"field", report.sensor ? device::name_of(report.sensor->field) : "energy_counter"},
               {"period_seconds", report.period.si()},
               {"samples", report.samples},
               {"dropped", report.dropped},
               {"energy_joules", source.energy.si()},
               {"energy_uncertainty_joules", statistics::kInterval95 * std::hypot(sensor, statistical)},
               {"energy_statistical_joules", statistics::kInterval95 * statistical},
               {"mean_power_watts", source.mean.si()},
               {"peak_power_watts", source.peak.si()},
               {"reading_joules", or_null(report.integrated)},
               {"counter_joules", or_null(report.counted)},
               {"counter_discrepancy", nullptr},
               {"sensor", nullptr},
               {"clock_min_hertz", or_null(state.clock_min)},
               {"clock_max_hertz", or_null(state.clock_max)},
               {"temperature_min_celsius", degrees_or_null(state.temperature_min)},
               {"temperature_max_celsius", degrees_or_null(state.temperature_max)},
               {"event_reasons", state.reasons.names()}};
  if (source.counter_discrepancy) json["counter_discrepancy"] = *source.counter_discrepancy;
  if (report.sensor) json["sensor"] = sensor_json(*report.sensor);
  return json;
}

Json control_value_json(const device::ControlValue& value) {
  if (value.power_limit) return {{"watts", value.power_limit->si()}};
  if (value.clocks) return {{"min_hertz", value.clocks->min.si()}, {"max_hertz", value.clocks->max.si()}};
  return nullptr;  // not locked
}

}  // namespace

Json controls_json(const std::vector<device::HeldDevices::Change>& changes) {
  Json all = Json::array();
  for (const auto& [device, change] : changes) {
    all.push_back({{"device", device},
                   {"control", name_of(change.control)},
                   {"before", change.before ? control_value_json(*change.before) : Json(nullptr)},
                   {"requested", control_value_json(change.requested)}});
  }
  return all;
}

Json measurement_json(const meter::Measurement& measurement) {
  Json sources = Json::array();
  for (const meter::DeviceMeasurement& source : measurement.sources) sources.push_back(source_json(source));
  return {{"energy_joules", measurement.energy.si()},
          {"energy_uncertainty_joules", measurement.uncertainty.si()},
          {"energy_statistical_joules", measurement.statistical.si()},
          {"duration_seconds", measurement.duration.si()},
          {"mean_power_watts", measurement.mean.si()},
          {"peak_power_watts", measurement.peak.si()},
          {"valid", measurement.valid()},
          {"reasons", texts(measurement.reasons)},
          {"notes", texts(measurement.notes)},
          {"sources", std::move(sources)}};
}

Json group_json(const meter::DeviceGroup& group) {
  if (!group.above_idle) {
    Json body = measurement_json(group.total);
    for (const char* const absent : {"idle_power_watts", "idle", "gross"}) body[absent] = nullptr;
    return body;
  }
  const meter::AboveIdle& above = *group.above_idle;
  Json body = measurement_json(above.net);
  body["idle_power_watts"] = above.idle_power.si();
  body["idle"] = {{"power_watts", above.idle_power.si()},
                  {"power_uncertainty_watts", above.idle_deviation.si()},
                  {"seconds", above.idle_window.si()},
                  {"energy_joules", above.idle.si()},
                  {"energy_uncertainty_joules", above.uncertainty.si()},
                  {"distinguishable", above.distinguishable()},
                  {"reasons", texts(above.idle_reasons)}};
  body["gross"] = measurement_json(group.total);
  return body;
}

}  // namespace ergon::report
