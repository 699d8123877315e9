#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "service/metrics/exposition.h"

namespace ergon::service {

// A run that holds a power cap, as of its last decision.
struct CapReading {
  std::string uuid, name;  // of the device
  Watts cap;
  std::optional<Watts> power;  // as it was read to decide by
  std::int64_t batch = 0;
  std::optional<Hertz> clock;  // nothing: the device's own
  double samples_per_second = 0;
  std::uint64_t decisions = 0;   // since the run began
  std::uint64_t violations = 0;  // of them, those before which power was above the cap
};

// With the labels of the device that the run drives. Of several runs on one device, which only simulated ones
// allow, the first is shown.
void add_cap(Exposition& page, const CapReading& reading, std::string_view host);

}  // namespace ergon::service
