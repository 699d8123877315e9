#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "device/nvml/library.h"

namespace ergon::device::nvml {

// One GPU handle of NVML. Calls NVML functions and converts their return codes into errors.
class Gpu {
 public:
  // `label` names the GPU in messages: "gpu0 (NVIDIA H200)".
  Gpu(std::shared_ptr<const Library> library, DeviceHandle handle, std::string label)
      : library_(std::move(library)), handle_(handle), label_(std::move(label)) {}

  const Functions& nvml() const { return library_->functions(); }
  bool simulated() const { return library_->simulated(); }
  const std::string& label() const { return label_; }

  // Calls a function of Functions, which may be null, with the arguments after the handle. `what` starts the
  // error message, for example "power usage".
  template <typename... Parameters, typename... Arguments>
  Result<> call(std::string_view what, Return (*function)(DeviceHandle, Parameters...),
                Arguments... arguments) const {
    return to_result(what,
                     function != nullptr ? function(handle_, arguments...) : Return::function_not_found);
  }

  // Calls a function whose last parameters are (unsigned* count, Item* items) and returns the whole list.
  template <typename Item, typename... Parameters, typename... Arguments>
  Result<std::vector<Item>> list(std::string_view what, Return (*function)(DeviceHandle, Parameters...),
                                 Arguments... arguments) const {
    if (function == nullptr) return error(what, Return::function_not_found);
    std::vector<Item> items;
    Return status = Return::insufficient_size;
    // The list may grow between two calls, so the capacity exceeds the required count.
    for (int attempt = 0; attempt < 8 && status == Return::insufficient_size; ++attempt) {
      auto count = static_cast<unsigned>(items.size());
      status = function(handle_, arguments..., &count, items.empty() ? nullptr : items.data());
      const std::size_t needed = count;
      if (status == Return::success) {
        items.resize(std::min(items.size(), needed));
      } else if (status == Return::insufficient_size) {
        items.resize(2 * std::max(needed, items.size()) + 8);
      }
    }
    if (status != Return::success) return error(what, status);
    return items;
  }

  Error error(std::string_view what, Return status) const {
    return library_->error(status, fmt::format("{} of {}", what, label_));
  }

 private:
  Result<> to_result(std::string_view what, Return status) const {
    if (status == Return::success) return {};
    return error(what, status);
  }

  std::shared_ptr<const Library> library_;
  DeviceHandle handle_;
  std::string label_;
};

}  // namespace ergon::device::nvml
