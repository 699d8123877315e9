#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/dataset.h"

namespace ergon::profile {

// Reads and writes composition.csv. A composition is one line per part and a last line with an empty
// operation and the number of parts, which marks the composition as complete.
std::string composition_header();
// Contract: counts are not negative, operations not empty.
std::string composition_lines(const Composition& composition);

struct ParsedCompositions {
  std::vector<Composition> compositions;  // in the text's order
  std::size_t whole = 0;                  // bytes up to the end of the last complete composition
};
// Errors name the source and the line. An incomplete composition at the end of the text is ignored.
Result<ParsedCompositions> parse_compositions(std::string_view text, std::string_view source);

}  // namespace ergon::profile
