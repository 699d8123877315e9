// Where GPUs are in the machine: CPUs and memory near them, distances, peer access.
//
// The CPUs of this machine and the GPUs are divided, in their order, among the sockets of the scenario. A
// socket is a NUMA node. Every GPU has a PCIe host bridge of its own.

#include <sys/sysinfo.h>

#include <climits>

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::TopologyLevel;

constexpr unsigned kWordBits = sizeof(unsigned long) * CHAR_BIT;
constexpr unsigned kScopes = 2;  // node, socket

std::size_t socket_of(const Simulation& simulation, std::size_t gpu) {
  return gpu * simulation.scenario().sockets / simulation.size();
}

void set_bits(std::size_t first, std::size_t end, unsigned words, unsigned long* set) {
  std::fill(set, set + words, 0UL);
  for (std::size_t bit = first; bit < std::min<std::size_t>(end, std::size_t{words} * kWordBits); ++bit)
    set[bit / kWordBits] |= 1UL << bit % kWordBits;
}

Return give_cpus(const char* function, DeviceHandle device, unsigned words, unsigned long* set,
                 unsigned scope = 0) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (words == 0 || set == nullptr || scope >= kScopes) return Return::invalid_argument;
    const std::size_t sockets = at.simulation.scenario().sockets, socket = socket_of(at.simulation, at.index);
    const auto cpus = static_cast<std::size_t>(get_nprocs());
    set_bits(cpus * socket / sockets, cpus * (socket + 1) / sockets, words, set);
    return Return::success;
  });
}

TopologyLevel level_of(const Simulation& simulation, std::size_t first, std::size_t second) {
  if (first == second) return TopologyLevel::internal;
  return socket_of(simulation, first) == socket_of(simulation, second) ? TopologyLevel::node
                                                                       : TopologyLevel::system;
}

// Values of nvmlGpuP2PStatus_t and nvmlGpuP2PCapsIndex_t.
enum class PeerStatus : int { ok = 0, gpu_not_supported = 2, not_supported = 5 };
enum class PeerAccess : int { read = 0, write = 1, nvlink = 2, atomics = 3, pcie = 4, unknown = 5 };

// GPUs of one product reach each other: over NVLink if the board has it, else over PCIe, which has no
// atomics. GeForce boards do not.
PeerStatus peer_status(const GpuCall& at, const GpuCall& other, PeerAccess access) {
  if (at.product.brand == nvml::Brand::geforce || other.product.brand == nvml::Brand::geforce)
    return PeerStatus::gpu_not_supported;
  if (at.index == other.index || at.slot.gpu.name != other.slot.gpu.name) return PeerStatus::not_supported;
  const bool needs_nvlink = access == PeerAccess::nvlink || access == PeerAccess::atomics;
  return needs_nvlink && at.product.nvlinks == 0 ? PeerStatus::not_supported : PeerStatus::ok;
}

}  // namespace

Return nvmlDeviceGetTopologyCommonAncestor(DeviceHandle first, DeviceHandle second, TopologyLevel* level) {
  return Library::here().call(__func__, first, [&](const GpuCall& at) {
    const auto other = at.library.index_of(second);
    if (!other || level == nullptr) return Return::invalid_argument;
    if (*other == at.index) return Return::not_supported;
    *level = level_of(at.simulation, at.index, *other);
    return Return::success;
  });
}

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" {

Return nvmlDeviceOnSameBoard(DeviceHandle first, DeviceHandle second, int* same) {
  return Library::here().call(__func__, first, [&](const GpuCall& at) {
    const auto other = at.library.index_of(second);
    if (!other || same == nullptr) return Return::invalid_argument;
    *same = *other == at.index ? 1 : 0;
    return Return::success;
  });
}

Return nvmlDeviceGetCpuAffinity(DeviceHandle device, unsigned words, unsigned long* cpus) {
  return give_cpus(__func__, device, words, cpus);
}
Return nvmlDeviceGetCpuAffinityWithinScope(DeviceHandle device, unsigned words, unsigned long* cpus,
                                           unsigned scope) {
  return give_cpus(__func__, device, words, cpus, scope);
}
Return nvmlDeviceGetMemoryAffinity(DeviceHandle device, unsigned words, unsigned long* nodes,
                                   unsigned scope) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (words == 0 || nodes == nullptr || scope >= kScopes) return Return::invalid_argument;
    const std::size_t node = socket_of(at.simulation, at.index);
    set_bits(node, node + 1, words, nodes);
    return Return::success;
  });
}

// The GPUs whose common ancestor is of this level. `count` is in and out: 0 asks for the number.
Return nvmlDeviceGetTopologyNearestGpus(DeviceHandle device, TopologyLevel level, unsigned* count,
                                        DeviceHandle* devices) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (count == nullptr) return Return::invalid_argument;
    std::vector<DeviceHandle> near;
    for (std::size_t i = 0; i < at.simulation.size(); ++i) {
      if (i != at.index && level_of(at.simulation, at.index, i) == level)
        near.push_back(Library::handle_of(i));
    }
    const auto all = static_cast<unsigned>(near.size());
    if (*count == 0 || devices == nullptr) return *count = all, Return::success;
    *count = std::min(*count, all);
    std::copy_n(near.begin(), *count, devices);
    return Return::success;
  });
}

Return nvmlDeviceGetP2PStatus(DeviceHandle first, DeviceHandle second, PeerAccess access,
                              PeerStatus* status) {
  return Library::here().call(__func__, first, [&](const GpuCall& at) {
    const auto other = at.library.index_of(second);
    if (!other || status == nullptr) return Return::invalid_argument;
    // An H200 answers "ok" beyond the known kinds of access.
    const bool known = access >= PeerAccess::read && access < PeerAccess::unknown;
    *status = known ? peer_status(at, at.library.gpu_call_on(*other), access) : PeerStatus::ok;
    return Return::success;
  });
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

}  // namespace ergon::fake_nvml
