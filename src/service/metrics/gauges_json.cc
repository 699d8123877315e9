#include "service/metrics/gauges_json.h"

#include <cmath>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN; non-finite values count as unknown.
Json gauge(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <Dimension D>
Json gauge(const std::optional<Quantity<D>>& value) {
  return value ? gauge(value->si()) : Json(nullptr);
}
Json gauge(const std::optional<Celsius>& value) { return value ? gauge(value->degrees()) : Json(nullptr); }

std::string gauge_time(Timestamp t) { return to_text(Timestamp{t.ns / 1'000'000 * 1'000'000}); }

Json device_json(const MonitoredDevice& device) {
  const GpuReading& reading = device.reading;
  const auto& use = reading.utilization;
  const auto& memory = reading.memory;
  return {{"id", reading.identity.id},
          {"uuid", reading.identity.uuid},
          {"name", reading.identity.name},
          {"kind", name_of(reading.identity.kind)},
          {"simulated", reading.simulated},
          {"responding", reading.responding},
          {"power_watts", gauge(reading.power)},
          {"energy_joules", gauge(reading.energy)},
          {"energy_since_start_joules", gauge(device.energy_since_start)},
          {"clock_hertz", gauge(reading.core_clock)},
          {"memory_clock_hertz", gauge(reading.memory_clock)},
          {"temperature_celsius", gauge(reading.temperature)},
          {"memory_temperature_celsius", gauge(reading.memory_temperature)},
          {"utilization",
           use ? Json({{"compute", gauge(use->compute)}, {"memory", gauge(use->memory)}}) : Json(nullptr)},
          {"memory_used_bytes", memory ? gauge(memory->used.si()) : Json(nullptr)},
          {"memory_total_bytes", memory ? gauge(memory->total.si()) : Json(nullptr)},
          {"power_limit_watts", gauge(reading.power_limit)},
          {"event_reasons", reading.event_reasons ? Json(reading.event_reasons->names()) : Json(nullptr)}};
}

Json history_json(const MonitoredDevice& device) {
  Json time = Json::array(), power = Json::array();
  for (const PowerPoint& point : device.history) {
    time.push_back(gauge_time(point.at));
    power.push_back(gauge(point.power.si()));
  }
  return {
      {"uuid", device.reading.identity.uuid}, {"time", std::move(time)}, {"power_watts", std::move(power)}};
}

}  // namespace

Json gauges_json(const MonitorSnapshot& snapshot, std::string_view host) {
  Json devices = Json::array(), history = Json::array();
  for (const MonitoredDevice& each : snapshot.devices) {
    devices.push_back(device_json(each));
    history.push_back(history_json(each));
  }
  return {{"time", gauge_time(snapshot.at)},
          {"started", gauge_time(snapshot.started)},
          {"host", host},
          {"devices", std::move(devices)},
          {"history", std::move(history)}};
}

}  // namespace ergon::service
