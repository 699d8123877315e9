// Device enumeration and handles.

#include <cstdlib>
#include <string>

#include "base/text.h"
#include "call_helpers.h"

namespace ergon::fake_nvml {

namespace {

Return count_of(const char* function, unsigned* count) {
  return Library::here().call(function, [&](Simulation& simulation) {
    if (count == nullptr) return Return::invalid_argument;
    *count = static_cast<unsigned>(simulation.size());
    return Return::success;
  });
}

// A fault of the device also fails the handle call.
Return give_handle(const char* function, std::size_t index, DeviceHandle* device) {
  const Return fault = Library::here().fault_of(function, index);
  if (fault == Return::success) *device = Library::handle_of(index);
  return fault;
}

// The first device for which `is_it` holds.
template <typename IsIt>
Return find(const char* function, const void* key, DeviceHandle* device, const IsIt& is_it) {
  return Library::here().call(function, [&](Simulation& simulation) {
    if (key == nullptr || device == nullptr) return Return::invalid_argument;
    for (std::size_t i = 0; i < simulation.size(); ++i) {
      if (is_it(simulation.scenario().slots[i])) return give_handle(function, i, device);
    }
    return Return::not_found;
  });
}

Return by_index(const char* function, unsigned index, DeviceHandle* device) {
  return Library::here().call(function, [&](Simulation& simulation) {
    if (device == nullptr || index >= simulation.size()) return Return::invalid_argument;
    return give_handle(function, index, device);
  });
}

// "00000000:10:00.0"; the domain may be shorter or missing, and the function after the point may be missing.
std::optional<PciAddress> parse_bus_id(std::string_view text) {
  const auto parts = split(text.substr(0, text.find('.')), ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  unsigned numbers[3] = {0, 0, 0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part(parts[i]);
    char* end = nullptr;
    numbers[3 - parts.size() + i] = static_cast<unsigned>(std::strtoul(part.c_str(), &end, 16));
    if (part.empty() || *end != '\0') return std::nullopt;
  }
  return PciAddress{numbers[0], numbers[1], numbers[2]};
}

Return by_bus_id(const char* function, const char* bus_id, DeviceHandle* device) {
  const auto address = bus_id == nullptr ? std::nullopt : parse_bus_id(bus_id);
  return find(function, address ? bus_id : nullptr, device, [&](const DeviceSlot& slot) {
    return slot.pci.domain == address->domain && slot.pci.bus == address->bus &&
           slot.pci.device == address->device;
  });
}

}  // namespace

Return nvmlDeviceGetCount(unsigned* count) { return count_of(__func__, count); }
Return nvmlDeviceGetCount_v2(unsigned* count) { return count_of(__func__, count); }
Return nvmlDeviceGetHandleByIndex(unsigned index, DeviceHandle* device) {
  return by_index(__func__, index, device);
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, DeviceHandle* device) {
  return by_index(__func__, index, device);
}

// With or without the prefix "GPU-".
Return nvmlDeviceGetHandleByUUID(const char* uuid, DeviceHandle* device) {
  return find(__func__, uuid, device, [&](const DeviceSlot& slot) {
    return slot.uuid == uuid || slot.uuid == std::string("GPU-") + uuid;
  });
}

Return nvmlDeviceGetHandleBySerial(const char* serial, DeviceHandle* device) {
  return find(__func__, serial, device, [&](const DeviceSlot& slot) {
    return slot.serial == serial && product_of(slot.gpu).has_serial();
  });
}

Return nvmlDeviceGetHandleByPciBusId(const char* bus_id, DeviceHandle* device) {
  return by_bus_id(__func__, bus_id, device);
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, DeviceHandle* device) {
  return by_bus_id(__func__, bus_id, device);
}

}  // namespace ergon::fake_nvml
