#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "service/metrics/exposition.h"

namespace ergon::service {

// A running cap job at its last decision.
struct CapReading {
  std::string uuid, name;  // of the device
  Watts cap;
  std::optional<Watts> power;  // that the decision was based on
  std::int64_t batch = 0;
  std::optional<Hertz> clock;  // empty: default clock
  double samples_per_second = 0;
  std::uint64_t decisions = 0;   // since the start of the run
  std::uint64_t violations = 0;  // decisions whose power was above the cap
};

// Uses the labels of the device. Only twins allow several runs on one device; then the first run is shown.
void add_cap(Exposition& page, const CapReading& reading, std::string_view host);

}  // namespace ergon::service
