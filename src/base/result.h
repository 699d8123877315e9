#pragma once

// Failure as a value, from the public API, with messages made by fmt.

#include <ergon/result.h>
#include <utility>

#include <fmt/core.h>

#include "base/contract.h"
#include "base/errc.h"

namespace ergon {

template <typename... Args>
Error fail(Errc kind, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace ergon
