#include "device/nvml/find.h"

#include <utility>

#include "device/nvml/library.h"
#include "device/nvml/nvml_device.h"

namespace ergon::device::nvml {

Result<FoundDevices> find_devices(const std::string& library) {
  const auto opened = Library::open(library);
  if (!opened) return opened.error();
  const auto count = (*opened)->device_count();
  if (!count) return count.error();
  FoundDevices found;
  for (unsigned index = 0; index < *count; ++index) {
    if (auto device = NvmlDevice::open(*opened, index)) {
      found.devices.push_back(*std::move(device));
    } else {
      found.problems.push_back(device.error());
    }
  }
  return found;
}

}  // namespace ergon::device::nvml
