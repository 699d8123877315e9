#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "meter/span_report.h"

namespace ergon::meter {

// Reads what may interfere with a measurement: other processes on the device, clocks, event reasons, power
// limit and temperature.
class InterferenceCheck {
 public:
  // Values that the device does not provide are absent. `now` is the time of the call.
  DeviceState read(device::Device& device, Instant now);

 private:
  std::set<std::int64_t> other_processes_among(const std::vector<device::Process>& processes, Instant now);

  // Processes that the device lists but /proc does not show, with the time of the first such listing.
  std::map<std::int64_t, Instant> gone_;
};

}  // namespace ergon::meter
