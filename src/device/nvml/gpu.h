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

// One GPU as NVML addresses it, and the words for what it does not answer.
class Gpu {
 public:
  // `label` is how messages call it: "gpu0 (NVIDIA H200)".
  Gpu(std::shared_ptr<const Library> library, DeviceHandle handle, std::string label)
      : library_(std::move(library)), handle_(handle), label_(std::move(label)) {}

  const Functions& nvml() const { return library_->functions(); }
  bool simulated() const { return library_->simulated(); }
  const std::string& label() const { return label_; }

  // Asks a function of Functions, which may be null, with whatever comes behind the handle. `what` is the
  // beginning of an error message: "power usage" of this GPU.
  template <typename... Parameters, typename... Arguments>
  Result<> ask(std::string_view what, Return (*function)(DeviceHandle, Parameters...),
               Arguments... arguments) const {
    return judged(what, function != nullptr ? function(handle_, arguments...) : Return::function_not_found);
  }

  // A list of any length from a function that ends in (..., unsigned* count, Item* items).
  template <typename Item, typename... Parameters, typename... Arguments>
  Result<std::vector<Item>> list(std::string_view what, Return (*function)(DeviceHandle, Parameters...),
                                 Arguments... arguments) const {
    if (function == nullptr) return error(what, Return::function_not_found);
    std::vector<Item> items;
    Return answer = Return::insufficient_size;
    // The list may have grown between a refusal and the next question, hence the room to spare.
    for (int question = 0; question < 8 && answer == Return::insufficient_size; ++question) {
      auto count = static_cast<unsigned>(items.size());
      answer = function(handle_, arguments..., &count, items.empty() ? nullptr : items.data());
      const std::size_t wanted = count;
      if (answer == Return::success) {
        items.resize(std::min(items.size(), wanted));
      } else if (answer == Return::insufficient_size) {
        items.resize(2 * std::max(wanted, items.size()) + 8);
      }
    }
    if (answer != Return::success) return error(what, answer);
    return items;
  }

  Error error(std::string_view what, Return answer) const {
    return library_->error(answer, fmt::format("{} of {}", what, label_));
  }

 private:
  Result<> judged(std::string_view what, Return answer) const {
    if (answer == Return::success) return {};
    return error(what, answer);
  }

  std::shared_ptr<const Library> library_;
  DeviceHandle handle_;
  std::string label_;
};

}  // namespace ergon::device::nvml
