#include "predict/known_operations.h"

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

// What only moves numbers does so alike, however products are rounded.
device::Precision stored_as(const Task& task, device::Precision precision) {
  const bool moves = std::none_of(task.forward.begin(), task.forward.end(), multiplies);
  return precision == device::Precision::tf32 && moves ? device::Precision::fp32 : precision;
}

}  // namespace

Condition as_run(const Condition& condition, const device::Specification& gpu) {
  Condition run = condition;
  if (run.precision == device::Precision::fp32 && !gpu.peak_tflops.contains(device::Precision::tf32))
    run.precision = device::Precision::tf32;
  return run;
}

KnownOperations::KnownOperations(std::map<Key, Ids> ids) : ids_(std::move(ids)) {
  for (auto& [key, own] : ids_) {
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
}

void KnownOperations::add(const Task& task, const Condition& condition) {
  const auto number = number_of(task.id);
  if (!number) return;
  Ids& own = ids_[{condition.mode, stored_as(task, condition.precision)}];
  const auto place = std::lower_bound(own.begin(), own.end(), *number);
  if (place == own.end() || *place != *number) own.insert(place, *number);
}

bool KnownOperations::contains(const Task& task, const Condition& condition) const {
  if (task.turned) return false;
  const auto found = ids_.find({condition.mode, stored_as(task, condition.precision)});
  const auto number = number_of(task.id);
  return found != ids_.end() && number &&
         std::binary_search(found->second.begin(), found->second.end(), *number);
}

}  // namespace ergon::predict
