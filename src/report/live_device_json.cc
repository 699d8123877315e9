#include "report/live_device_json.h"

#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using device::ClockDomain;

template <typename Q>
Json number(const Result<Q>& reading) {
  return reading ? Json(reading->si()) : Json(nullptr);
}

Json number(const Result<Celsius>& reading) { return reading ? Json(reading->degrees()) : Json(nullptr); }

Json clocks_json(device::Device& gpu) {
  Json clocks = {{"core_hertz", number(gpu.clock(ClockDomain::core))},
                 {"memory_hertz", number(gpu.clock(ClockDomain::memory))}};
  for (const ClockDomain domain : {ClockDomain::core, ClockDomain::memory}) {
    const auto supported = gpu.supported_clocks(domain);
    const std::string name(name_of(domain));
    const bool some = supported && !supported->empty();
    clocks[name + "_min_hertz"] = some ? Json(supported->front().si()) : Json(nullptr);
    clocks[name + "_max_hertz"] = some ? Json(supported->back().si()) : Json(nullptr);
    Json all = Json::array();
    if (some) {
      for (const Hertz clock : *supported) all.push_back(clock.si());
    }
    clocks[name + "_supported_hertz"] = std::move(all);
  }
  return clocks;
}

Json power_json(device::Device& gpu) {
  Json power = Json::object();
  for (const device::PowerField field : gpu.capabilities().power)
    power[std::string(name_of(field))] = number(gpu.power(field));
  return power;
}

Json processes_json(device::Device& gpu) {
  const auto processes = gpu.processes();
  if (!processes) return nullptr;
  Json all = Json::array();
  for (const device::Process& each : *processes)
    all.push_back(
        {{"pid", each.pid}, {"memory_bytes", each.memory ? Json(each.memory->si()) : Json(nullptr)}});
  return all;
}

}  // namespace

Json capabilities_json(const device::Capabilities& can) {
  Json power = Json::array();
  for (const device::PowerField field : can.power) power.push_back(name_of(field));
  return {{"power", std::move(power)},
          {"energy_counter", can.energy_counter},
          {"core_clock", can.core_clock},
          {"memory_clock", can.memory_clock},
          {"supported_clocks", can.supported_clocks},
          {"temperature", can.temperature},
          {"memory_temperature", can.memory_temperature},
          {"utilization", can.utilization},
          {"memory", can.memory},
          {"event_reasons", can.event_reasons},
          {"processes", can.processes},
          {"power_limit", can.power_limit},
          {"set_power_limit", can.set_power_limit},
          {"lock_core_clock", can.lock_core_clock},
          {"lock_memory_clock", can.lock_memory_clock},
          {"application_clocks", can.application_clocks}};
}

Json live_device_json(device::Device& gpu) {
  const device::Identity& who = gpu.identity();
  const auto limits = gpu.power_limits();
  const auto use = gpu.utilization();
  const auto memory = gpu.memory();
  const auto reasons = gpu.event_reasons();
  Json json = {{"id", who.id},
               {"kind", name_of(who.kind)},
               {"name", who.name},
               {"uuid", who.uuid},
               {"simulated", gpu.simulated()},
               {"power_limit_watts", limits ? Json(limits->current.si()) : Json(nullptr)},
               {"power_limit_min_watts", limits ? Json(limits->min.si()) : Json(nullptr)},
               {"power_limit_default_watts", limits ? Json(limits->default_limit.si()) : Json(nullptr)},
               {"power_limit_max_watts", limits ? Json(limits->max.si()) : Json(nullptr)},
               {"power_watts", power_json(gpu)},
               {"energy_counter_joules", number(gpu.energy_counter())},
               {"clocks", clocks_json(gpu)},
               {"temperature_celsius", number(gpu.temperature())},
               {"memory_temperature_celsius", number(gpu.memory_temperature())},
               {"utilization", nullptr},
               {"memory_total_bytes", memory ? Json(memory->total.si()) : Json(nullptr)},
               {"memory_used_bytes", memory ? Json(memory->used.si()) : Json(nullptr)},
               {"event_reasons", reasons ? Json(reasons->names()) : Json(nullptr)},
               {"processes", processes_json(gpu)},
               {"capabilities", capabilities_json(gpu.capabilities())}};
  if (use) json["utilization"] = {{"compute", use->compute}, {"memory", use->memory}};
  return json;
}

}  // namespace ergon::report
