#pragma once

// The shapes that most calls have.

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
using Visit = Library::Visit;

// The text with its ending 0; too little room is Return::insufficient_size.
Return give_text(std::string_view text, char* buffer, unsigned length);

// A list into a caller's array: `count` is the room, and becomes the number. Too little room is
// Return::insufficient_size with the number that is needed.
template <typename T>
Return give_list(const std::vector<T>& list, unsigned* count, T* target) {
  const unsigned room = *count;
  *count = static_cast<unsigned>(list.size());
  if (room < list.size()) return Return::insufficient_size;
  if (!list.empty() && target == nullptr) return Return::invalid_argument;
  std::copy(list.begin(), list.end(), target);
  return Return::success;
}

// A number of a device. `value` gives it, or nothing where the device does not have it.
template <typename T, typename Value>
Return give(const char* function, DeviceHandle device, T* target, const Value& value) {
  return Library::here().call(function, device, [&](const Visit& at) {
    if (target == nullptr) return Return::invalid_argument;
    const std::optional<T> found = value(at);
    if (!found) return Return::not_supported;
    *target = *found;
    return Return::success;
  });
}

// A change of a device, for those who may. `record` gives it, or why it cannot be.
struct Change {
  Return why_not = Return::success;
  Record record;
};
template <typename Make>
Return change(const char* function, DeviceHandle device, Permission permission, const Make& make) {
  return Library::here().call(function, device, [&](const Visit& at) {
    if (!at.world.scenario().permissions.contains(permission)) return Return::no_permission;
    Change wanted = make(at);
    if (wanted.why_not != Return::success) return wanted.why_not;
    wanted.record.gpu = at.index;
    wanted.record.owner = this_process();
    const auto happened = at.world.happen(wanted.record);
    return happened ? Return::success : at.library.give_up(happened.error());
  });
}

// Thousandths, as whole as the target can hold.
template <typename T>
T thousandths(double value) {
  const double whole = std::round(value * 1e3);
  const auto most = static_cast<double>(std::numeric_limits<T>::max());
  return whole >= most ? std::numeric_limits<T>::max() : whole <= 0 ? T{0} : static_cast<T>(whole);
}

std::uint64_t microseconds_of(Timestamp moment);

}  // namespace ergon::fake_nvml
