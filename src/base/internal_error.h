#pragma once

#include <utility>

#include <fmt/format.h>

#include "base/result.h"

namespace ergon {

// A result that violates a check of Ergon itself: a defect. The message says what to report.
template <typename... Args>
Error internal_error(fmt::format_string<Args...> text, Args&&... args) {
  return fail(
      Errc::internal,
      "internal error: {}; this is a defect of Ergon, please report the command and `ergon --version`",
      fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace ergon
