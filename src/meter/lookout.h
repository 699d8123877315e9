#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "meter/span_report.h"

namespace ergon::meter {

// Looks at what surrounds a measurement: who else is on the device, what holds its clock down, how warm it
// is.
class Lookout {
 public:
  // What the device does not tell is left out. `now` tells one look from the next.
  Surroundings look(device::Device& device, Instant now);

 private:
  std::set<std::int64_t> strangers_among(const std::vector<device::Process>& processes, Instant now);

  std::map<std::int64_t, Instant> gone_;  // processes that are listed and not to be seen, and since when
};

}  // namespace ergon::meter
