#pragma once

#include <functional>
#include <string_view>

namespace ergon {

// Receives notes for the user: what was restored, what is not measured, and why. May be empty.
using Notify = std::function<void(std::string_view)>;

}  // namespace ergon
