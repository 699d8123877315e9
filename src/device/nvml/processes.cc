#include "device/nvml/processes.h"

#include <iterator>
#include <map>
#include <optional>

namespace ergon::device::nvml {
namespace {

using ByPid = std::map<std::int64_t, std::optional<Bytes>>;

template <typename Info>
void add(const std::vector<Info>& listed, ByPid& by_pid) {
  for (const Info& info : listed) {
    auto& memory = by_pid[info.pid];
    if (info.used_gpu_memory != kNotAvailable64) memory = bytes(info.used_gpu_memory);
  }
}

Result<> add_kind(const Gpu& gpu, std::size_t kind, ByPid& by_pid) {
  constexpr std::string_view kWhat = "processes";
  const auto newer = gpu.list<ProcessInfo>(kWhat, gpu.nvml().processes[kind]);
  if (newer) return add(*newer, by_pid), Result<>{};
  if (newer.error().kind != Errc::unsupported) return newer.error();
  const auto older = gpu.list<ProcessInfoV1>(kWhat, gpu.nvml().processes_v1[kind]);
  if (older) return add(*older, by_pid), Result<>{};
  return older.error();
}

}  // namespace

Result<std::vector<Process>> processes(const Gpu& gpu) {
  ByPid by_pid;
  const auto computing = add_kind(gpu, 0, by_pid);
  bool listed = static_cast<bool>(computing);
  if (!computing && computing.error().kind != Errc::unsupported) return computing.error();
  for (std::size_t kind = 1; kind < std::size(gpu.nvml().processes); ++kind) {
    const auto others = add_kind(gpu, kind, by_pid);
    if (!others && others.error().kind != Errc::unsupported) return others.error();
    listed = listed || others;
  }
  if (!listed) return computing.error();
  std::vector<Process> processes;
  processes.reserve(by_pid.size());
  for (const auto& [pid, memory] : by_pid) processes.push_back({pid, memory});
  return processes;
}

}  // namespace ergon::device::nvml
