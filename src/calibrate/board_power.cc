#include "calibrate/board_power.h"

#include <optional>

#include "device/plausible.h"
#include "device/twin/catalog.h"

namespace ergon::calibrate {

Watts max_power_of(const std::string& device) {
  const auto gpu = device::find_device(device);
  if (!gpu) return device::max_plausible_power(std::nullopt);
  const device::PowerLimitModel& limit = gpu->limit;
  return device::max_plausible_power(
      device::PowerLimits{limit.default_limit, limit.default_limit, limit.min, limit.max});
}

Result<> BoardPower::check(const std::string& device, Watts power, std::string_view column, std::size_t row) {
  auto found = highest_.find(device);
  if (found == highest_.end()) found = highest_.emplace(device, max_power_of(device)).first;
  if (power <= found->second) return {};
  return fail(Errc::invalid_input, "line {}: {}: {:g} W is not plausible; a board of {} draws at most {:g} W",
              row + 2, column, power.si(), device, found->second.si());
}

}  // namespace ergon::calibrate
