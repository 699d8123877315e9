#pragma once

#include <cstddef>
#include <optional>

namespace ergon::report {

// How a text table is drawn: a bold heading (terminals) or a line of dashes, and the columns it may occupy.
struct TableStyle {
  bool bold = false;
  std::optional<std::size_t> width = std::nullopt;  // characters per line; absent: no limit
};

}  // namespace ergon::report
