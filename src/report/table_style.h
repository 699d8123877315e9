#pragma once

#include <cstddef>
#include <optional>

namespace ergon::report {

// Style of a text table.
struct TableStyle {
  bool bold = false;                                // bold headings (terminals) instead of a line of dashes
  std::optional<std::size_t> width = std::nullopt;  // columns of the terminal; absent: no limit
};

}  // namespace ergon::report
