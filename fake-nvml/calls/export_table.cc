// The table of internal functions that nvidia-smi asks the library for.
//
// nvidia-smi makes most calls through the public functions. For some it uses a table of function pointers
// that nvmlInternalGetExportTable() returns; without it, it says "Mismatch in versions". No header describes
// the table. Positions and structures were observed: the entries that nvidia-smi 535 calls, with what
// arguments, and what it then prints. Driver 580 on an H200 has the same table id, size and entries 72 and
// 108. All other entries return NOT_SUPPORTED, which nvidia-smi shows as N/A.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

// The entry at index 0 is the size of the table in bytes; 270 entries in driver 580.
constexpr std::size_t kEntries = 270;
constexpr std::size_t kTopology = 23, kIsMonitored = 72, kHandleByIndex = 81, kEnforcedPowerLimit = 108,
                      kProcessUtilization = 145, kComputeProcesses = 213, kGraphicsProcesses = 214,
                      kMpsProcesses = 215, kHostPcieGeneration = 230;

constexpr std::array<unsigned char, 16> kTableId = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e,
                                                    0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4};

Return not_in_table() { return Return::not_supported; }

// Whether `nvidia-smi pmon` and `dmon` run on this GPU.
Return is_monitored(DeviceHandle device, unsigned* yes) {
  return give("nvmlInternalGetExportTable", device, yes, [](const GpuCall&) { return 1U; });
}

Return handle_by_index(unsigned index, DeviceHandle* device, unsigned) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

// The common ancestor of two GPUs by their bus ids, as a number of its own: 0 to 4 from one PCIe bridge to
// several sockets. nvidia-smi reads NVLinks to a switch from field values.
Return topology(const char* first, const char* second, unsigned* level) {
  DeviceHandle one = nullptr, other = nullptr;
  Return found = nvmlDeviceGetHandleByPciBusId_v2(first, &one);
  if (found == Return::success) found = nvmlDeviceGetHandleByPciBusId_v2(second, &other);
  if (found != Return::success) return found;
  auto ancestor = nvml::TopologyLevel::internal;
  found = nvmlDeviceGetTopologyCommonAncestor(one, other, &ancestor);
  if (found != Return::success || level == nullptr) return found;
  constexpr unsigned kStep = 10;  // between the values of TopologyLevel
  *level = std::max(static_cast<unsigned>(ancestor) / kStep, 1U) - 1;
  return Return::success;
}

Return host_pcie_generation(DeviceHandle device, unsigned* generation) {
  return nvmlDeviceGetMaxPcieLinkGeneration(device, generation);
}

struct NamedProcess {
  unsigned pid;
  unsigned long long used_gpu_memory;
  unsigned gpu_instance, compute_instance;
  unsigned long long protected_memory;
  char name[4096];
};
static_assert(sizeof(NamedProcess) == 4128 && offsetof(NamedProcess, name) == 32);

Return named_processes(DeviceHandle device, unsigned* count, NamedProcess* processes) {
  if (count == nullptr || processes == nullptr) return Return::invalid_argument;
  std::vector<nvml::ProcessInfo> found(*count);
  if (const Return listed = nvmlDeviceGetComputeRunningProcesses_v3(device, count, found.data());
      listed != Return::success)
    return listed;
  for (unsigned i = 0; i < *count; ++i) {
    const nvml::ProcessInfo& each = found[i];
    processes[i] = {each.pid, each.used_gpu_memory, each.gpu_instance, each.compute_instance, 0, {}};
    const std::string name = program_of(each.pid).value_or("");
    std::memcpy(processes[i].name, name.data(), std::min(name.size(), sizeof(NamedProcess::name) - 1));
  }
  return Return::success;
}

Return no_processes(DeviceHandle device, unsigned* count, NamedProcess*) {
  return give("nvmlInternalGetExportTable", device, count, [](const GpuCall&) { return 0U; });
}

// A value of one process. Entries of the SM, memory, encoder and decoder utilization follow each other.
struct ProcessValue {
  unsigned long long timestamp_us;
  nvml::Value value;
  unsigned pid;
  char unused[60];
};
struct ProcessValues {
  ProcessValue sm, memory, encoder, decoder;
};
static_assert(sizeof(ProcessValues) == 320 && offsetof(ProcessValue, pid) == 16);

Return process_utilization(DeviceHandle device, unsigned long long last_seen_us, unsigned* value_type,
                           unsigned* count, ProcessValues* values) {
  if (value_type == nullptr || count == nullptr || values == nullptr) return Return::invalid_argument;
  std::vector<nvml::ProcessUtilizationSample> samples(std::max(*count, 100U));
  auto found = static_cast<unsigned>(samples.size());
  const Return read = nvmlDeviceGetProcessUtilization(device, samples.data(), &found, last_seen_us);
  if (read != Return::success) return read;
  *value_type = static_cast<unsigned>(nvml::ValueType::uint32);
  *count = std::min(*count, found);
  for (unsigned i = 0; i < *count; ++i) {
    const nvml::ProcessUtilizationSample& each = samples[i];
    const auto entry = [&](unsigned percent) {
      return ProcessValue{each.timestamp_us, {.uint64 = percent}, each.pid, {}};
    };
    values[i] = {entry(each.sm), entry(each.memory), entry(each.encoder), entry(each.decoder)};
  }
  return Return::success;
}

template <typename Function>
std::uintptr_t entry(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

std::array<std::uintptr_t, kEntries> make_table() {
  std::array<std::uintptr_t, kEntries> table{};
  table.fill(entry(not_in_table));
  table[0] = kEntries * sizeof(std::uintptr_t);
  table[kTopology] = entry(topology);
  table[kIsMonitored] = entry(is_monitored);
  table[kHandleByIndex] = entry(handle_by_index);
  table[kEnforcedPowerLimit] = entry(nvmlDeviceGetEnforcedPowerLimit);
  table[kProcessUtilization] = entry(process_utilization);
  table[kComputeProcesses] = entry(named_processes);
  table[kGraphicsProcesses] = table[kMpsProcesses] = entry(no_processes);
  table[kHostPcieGeneration] = entry(host_pcie_generation);
  return table;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" Return nvmlInternalGetExportTable(const void** table, const unsigned char* id) {
  static const auto kTable = make_table();
  return Library::here().call(__func__, [&](Simulation&) {
    if (table == nullptr || id == nullptr) return Return::invalid_argument;
    if (!std::equal(kTableId.begin(), kTableId.end(), id)) return Return::invalid_argument;
    *table = kTable.data();
    return Return::success;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace ergon::fake_nvml
