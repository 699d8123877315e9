#pragma once

// Templates for the common forms of calls.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "declared.h"
#include "library.h"

namespace ergon::fake_nvml {

namespace nvml = device::nvml;
using GpuCall = Library::GpuCall;

// Copies the text with its terminating 0. Return::insufficient_size if the buffer is too small.
Return give_text(std::string_view text, char* buffer, unsigned length);

// Copies a list into the caller's array. `count` is in and out: capacity, then number of elements.
// Return::insufficient_size if the capacity is too small; `count` is then the required one.
template <typename T>
Return give_list(const std::vector<T>& list, unsigned* count, T* target) {
  const unsigned room = *count;
  *count = static_cast<unsigned>(list.size());
  if (room < list.size()) return Return::insufficient_size;
  if (!list.empty() && target == nullptr) return Return::invalid_argument;
  std::copy(list.begin(), list.end(), target);
  return Return::success;
}

// Returns one value of a device. `value` computes it; an empty optional means not supported.
template <typename T, typename Value>
Return give(const char* function, DeviceHandle device, T* target, const Value& value) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (target == nullptr) return Return::invalid_argument;
    const std::optional<T> found = value(at);
    if (!found) return Return::not_supported;
    *target = *found;
    return Return::success;
  });
}

// A change of a device, subject to permissions. `why_not` is the return code if the change is not possible.
struct Change {
  Return why_not = Return::success;
  Record record;
};
template <typename Make>
Return change(const char* function, DeviceHandle device, Permission permission, const Make& make) {
  return Library::here().call(function, device, [&](const GpuCall& at) {
    if (!at.simulation.scenario().permissions.contains(permission)) return Return::no_permission;
    Change requested = make(at);
    if (requested.why_not != Return::success) return requested.why_not;
    requested.record.gpu = at.index;
    requested.record.owner = this_process();
    const auto committed = at.simulation.commit(requested.record);
    return committed ? Return::success : at.library.to_return_code(committed.error());
  });
}

// The value in thousandths (mW, mJ), rounded and saturated to the range of T.
template <typename T>
T thousandths(double value) {
  const double whole = std::round(value * 1e3);
  const auto max = static_cast<double>(std::numeric_limits<T>::max());
  return whole >= max ? std::numeric_limits<T>::max() : whole <= 0 ? T{0} : static_cast<T>(whole);
}

std::uint64_t microseconds_of(Timestamp time);

// Working NVLinks of a GPU (nvlink_calls.cc).
unsigned working_links(const GpuCall& at);

}  // namespace ergon::fake_nvml
