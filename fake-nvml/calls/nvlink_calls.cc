// NVLink. The links of SXM boards connect them to a switch, if the machine has several GPUs of the product.
// The links of a single GPU are down and not reported, as on a virtual machine with one H200.

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

constexpr unsigned kMaxLinks = 18;
enum class Capability : unsigned {
  peers = 0,
  system_memory = 1,
  peer_atomics = 2,
  system_atomics = 3,
  sli_bridge = 4,
  valid = 5
};
constexpr unsigned kSwitch = 2;  // of nvmlIntNvLinkDeviceType_t
constexpr unsigned kSwitchBus = 0xc0, kSwitchId = 0x22a310de;

// `value` computes the answer for a working link.
template <typename T, typename Value>
Return on_link(const char* function, DeviceHandle device, unsigned link, T* target, const Value& value) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (target == nullptr) return Return::invalid_argument;
    const unsigned links = working_links(at);
    if (links == 0) return Return::not_supported;
    if (link >= links) return Return::invalid_argument;
    *target = value(at);
    return Return::success;
  });
}

}  // namespace

unsigned working_links(const GpuCall& at) {
  std::size_t peers = 0;
  for (const DeviceSlot& slot : at.simulation.scenario().slots) peers += slot.gpu.name == at.slot.gpu.name;
  return peers > 1 ? at.product.nvlinks : 0;
}

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" {

Return nvmlDeviceGetNvLinkState(DeviceHandle device, unsigned link, nvml::EnableState* state) {
  return on_link(__func__, device, link, state, [](const GpuCall&) { return nvml::EnableState::enabled; });
}
Return nvmlDeviceGetNvLinkVersion(DeviceHandle device, unsigned link, unsigned* version) {
  return on_link(__func__, device, link, version,
                 [](const GpuCall& at) { return at.product.nvlink_version; });
}
Return nvmlDeviceGetNvLinkCapability(DeviceHandle device, unsigned link, unsigned capability,
                                     unsigned* supported) {
  if (link >= kMaxLinks || supported == nullptr)
    return Library::here().call(__func__, device, [](const GpuCall&) { return Return::invalid_argument; });
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    const unsigned links = working_links(at);
    if (links == 0) return Return::not_supported;
    if (link >= links || capability > static_cast<unsigned>(Capability::valid))
      return Return::invalid_argument;
    *supported = capability == static_cast<unsigned>(Capability::sli_bridge) ? 0 : 1;
    return Return::success;
  });
}
Return nvmlDeviceGetNvLinkRemoteDeviceType(DeviceHandle device, unsigned link, unsigned* type) {
  return on_link(__func__, device, link, type, [](const GpuCall&) { return kSwitch; });
}
Return nvmlDeviceGetNvLinkRemotePciInfo_v2(DeviceHandle device, unsigned link, nvml::PciInfo* info) {
  return on_link(__func__, device, link, info, [](const GpuCall&) {
    return nvml::PciInfo{"0000:C0:00.0", 0, kSwitchBus, 0, kSwitchId, 0, "00000000:C0:00.0"};
  });
}
Return nvmlDeviceGetNvLinkErrorCounter(DeviceHandle device, unsigned link, unsigned,
                                       unsigned long long* count) {
  return on_link(__func__, device, link, count, [](const GpuCall&) { return 0ULL; });
}
Return nvmlDeviceResetNvLinkErrorCounters(DeviceHandle device, unsigned link) {
  unsigned long long none = 0;
  return on_link(__func__, device, link, &none, [](const GpuCall&) { return 0ULL; });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

}  // namespace ergon::fake_nvml
