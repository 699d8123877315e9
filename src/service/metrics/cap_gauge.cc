#include "service/metrics/cap_gauge.h"

#include <nlohmann/json.hpp>

#include "device/twin/twin_device.h"
#include "service/jobs/job_kind.h"

namespace ergon::service {
namespace {

std::optional<double> number_in(const nlohmann::ordered_json& decision, const char* name) {
  const auto found = decision.find(name);
  return found != decision.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

// 0 if it is absent or no batch: the log is a file that may have been edited.
std::int64_t batch_in(const nlohmann::ordered_json& decision) {
  constexpr double kMax = 1e12;
  const double batch = number_in(decision, "batch").value_or(0);
  return batch >= 0 && batch <= kMax ? static_cast<std::int64_t>(batch) : 0;
}

}  // namespace

CapReading cap_gauge(const HeldCap& held, const MonitorSnapshot& snapshot) {
  const std::string device = option_text(held.job, "device");
  CapReading reading;
  reading.uuid = device::twin_uuid(device);
  reading.name = device;
  for (const MonitoredDevice& each : snapshot.devices) {
    const device::Identity& identity = each.reading.identity;
    if (identity.kind == device::DeviceKind::twin || identity.id != device) continue;
    reading.uuid = identity.uuid;
    reading.name = identity.name;
  }
  reading.cap = Watts{number_in(held.decision, "cap_watts").value_or(0)};
  if (const auto watts = number_in(held.decision, "power_watts")) reading.power = Watts{*watts};
  reading.batch = batch_in(held.decision);
  if (const auto hertz = number_in(held.decision, "clock_hertz")) reading.clock = Hertz{*hertz};
  reading.samples_per_second = number_in(held.decision, "throughput_samples_per_second").value_or(0);
  reading.decisions = held.decisions;
  reading.violations = held.violations;
  return reading;
}

}  // namespace ergon::service
