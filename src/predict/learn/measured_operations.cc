#include "predict/learn/measured_operations.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

namespace ergon::predict {
namespace {

std::optional<std::uint64_t> number_of(const std::string& id) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(id.data(), id.data() + id.size(), number, 16);
  if (problem != std::errc() || end != id.data() + id.size()) return std::nullopt;
  return number;
}

bool multiplies(const device::Kernel& kernel) {
  using enum device::KernelKind;
  return kernel.kind == product || kernel.kind == depthwise || kernel.kind == grouped || kernel.convolution;
}

// Without multiplications, tf32 and fp32 are the same.
device::Precision stored_as(const Task& task, device::Precision precision) {
  const bool moves = std::none_of(task.forward.begin(), task.forward.end(), multiplies);
  return precision == device::Precision::tf32 && moves ? device::Precision::fp32 : precision;
}

}  // namespace

WorkloadConfig effective_config(const WorkloadConfig& config, const device::Specification& gpu) {
  WorkloadConfig run = config;
  if (run.precision == device::Precision::fp32 && !gpu.peak_tflops.contains(device::Precision::tf32))
    run.precision = device::Precision::tf32;
  return run;
}

MeasuredOperations::MeasuredOperations(std::map<Key, Ids> ids) : ids_(std::move(ids)) {
  for (auto& [key, sorted] : ids_) {
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  }
}

void MeasuredOperations::add(const Task& task, const WorkloadConfig& config) {
  const auto number = number_of(task.id);
  if (!number) return;
  Ids& ids = ids_[{config.mode, stored_as(task, config.precision)}];
  const auto position = std::lower_bound(ids.begin(), ids.end(), *number);
  if (position == ids.end() || *position != *number) ids.insert(position, *number);
}

bool MeasuredOperations::contains(const Task& task, const WorkloadConfig& config) const {
  if (task.channels_last) return false;
  const auto found = ids_.find({config.mode, stored_as(task, config.precision)});
  const auto number = number_of(task.id);
  return found != ids_.end() && number &&
         std::binary_search(found->second.begin(), found->second.end(), *number);
}

}  // namespace ergon::predict
