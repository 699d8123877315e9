// Identity of a device.

#include <cstring>

#include <fmt/format.h>

#include "call_helpers.h"

namespace ergon::fake_nvml {

namespace {

template <typename Text>
Return text(const char* function, DeviceHandle device, char* buffer, unsigned length, const Text& text_of) {
  return Library::here().call(function, device,
                              [&](const GpuCall& at) { return give_text(text_of(at), buffer, length); });
}

constexpr unsigned kSubsystem = 0x000010de;

template <std::size_t N>
void set_text(char (&target)[N], const std::string& value) {
  const std::size_t size = std::min(value.size(), N - 1);
  std::memcpy(target, value.data(), size);
  target[size] = '\0';
}

// `Info` is one of the versions of the structure.
template <typename Info, typename Rest>
Return pci(const char* function, DeviceHandle device, Info* info, const Rest& rest) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (info == nullptr) return Return::invalid_argument;
    const PciAddress& address = at.slot.pci;
    info->domain = address.domain;
    info->bus = address.bus;
    info->device = address.device;
    info->device_id = at.product.pci_device;
    rest(fmt::format("{:04X}:{:02X}:{:02X}.0", address.domain, address.bus, address.device),
         fmt::format("{:08X}:{:02X}:{:02X}.0", address.domain, address.bus, address.device));
    return Return::success;
  });
}

}  // namespace

Return nvmlDeviceGetName(DeviceHandle device, char* name, unsigned length) {
  return text(__func__, device, name, length, [](const GpuCall& at) { return at.product.name; });
}
Return nvmlDeviceGetUUID(DeviceHandle device, char* uuid, unsigned length) {
  return text(__func__, device, uuid, length, [](const GpuCall& at) { return at.slot.uuid; });
}
Return nvmlDeviceGetSerial(DeviceHandle device, char* serial, unsigned length) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (!at.product.has_serial()) return Return::not_supported;
    return give_text(at.slot.serial, serial, length);
  });
}
Return nvmlDeviceGetVbiosVersion(DeviceHandle device, char* version, unsigned length) {
  return text(__func__, device, version, length, [](const GpuCall& at) { return at.product.vbios; });
}
Return nvmlDeviceGetBoardPartNumber(DeviceHandle device, char* number, unsigned length) {
  return text(__func__, device, number, length, [](const GpuCall& at) { return at.product.part_number; });
}

Return nvmlDeviceGetIndex(DeviceHandle device, unsigned* index) {
  return give(__func__, device, index, [](const GpuCall& at) { return static_cast<unsigned>(at.index); });
}
Return nvmlDeviceGetMinorNumber(DeviceHandle device, unsigned* minor_number) {
  return give(__func__, device, minor_number,
              [](const GpuCall& at) { return static_cast<unsigned>(at.index); });
}
Return nvmlDeviceGetBrand(DeviceHandle device, nvml::Brand* brand) {
  return give(__func__, device, brand, [](const GpuCall& at) { return at.product.brand; });
}
Return nvmlDeviceGetArchitecture(DeviceHandle device, nvml::Architecture* architecture) {
  return give(__func__, device, architecture, [](const GpuCall& at) { return at.product.architecture; });
}
Return nvmlDeviceGetCudaComputeCapability(DeviceHandle device, int* major_part, int* minor_part) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (major_part == nullptr || minor_part == nullptr) return Return::invalid_argument;
    *major_part = at.product.capability_major;
    *minor_part = at.product.capability_minor;
    return Return::success;
  });
}
Return nvmlDeviceGetNumGpuCores(DeviceHandle device, unsigned* cores) {
  return give(__func__, device, cores, [](const GpuCall& at) {
    return static_cast<unsigned>(at.slot.gpu.multiprocessors) * at.product.cores_per_multiprocessor;
  });
}
Return nvmlDeviceGetMemoryBusWidth(DeviceHandle device, unsigned* bits) {
  return give(__func__, device, bits, [](const GpuCall& at) {
    return at.product.bus_bits > 0 ? std::optional(at.product.bus_bits) : std::nullopt;
  });
}

Return nvmlDeviceGetPciInfo(DeviceHandle device, nvml::PciInfoV1* info) {
  return pci(__func__, device, info,
             [&](const auto& legacy, const auto&) { set_text(info->bus_id, legacy); });
}
Return nvmlDeviceGetPciInfo_v2(DeviceHandle device, nvml::PciInfoV2* info) {
  return pci(__func__, device, info, [&](const auto& legacy, const auto&) {
    set_text(info->bus_id, legacy);
    info->subsystem_id = kSubsystem;
  });
}
Return nvmlDeviceGetPciInfo_v3(DeviceHandle device, nvml::PciInfo* info) {
  return pci(__func__, device, info, [&](const auto& legacy, const auto& full) {
    set_text(info->bus_id_legacy, legacy);
    set_text(info->bus_id, full);
    info->subsystem_id = kSubsystem;
  });
}

namespace {

constexpr unsigned kLanes = 16;

std::optional<unsigned> generation(const GpuCall& at) { return at.product.pcie_generation; }
std::optional<unsigned> lanes(const GpuCall&) { return kLanes; }

}  // namespace

Return nvmlDeviceGetMaxPcieLinkGeneration(DeviceHandle device, unsigned* out) {
  return give(__func__, device, out, generation);
}
Return nvmlDeviceGetCurrPcieLinkGeneration(DeviceHandle device, unsigned* out) {
  return give(__func__, device, out, generation);
}
Return nvmlDeviceGetMaxPcieLinkWidth(DeviceHandle device, unsigned* out) {
  return give(__func__, device, out, lanes);
}
Return nvmlDeviceGetCurrPcieLinkWidth(DeviceHandle device, unsigned* out) {
  return give(__func__, device, out, lanes);
}

}  // namespace ergon::fake_nvml
