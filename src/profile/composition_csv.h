#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/dataset.h"

namespace ergon::profile {

// Compositions as lines of CSV: what composition.csv consists of. A line per part, and one to end with that
// has no operation and counts the parts, so that a composition whose writing was cut short can be told from a
// whole one.
std::string composition_header();
// Contract: counts are not negative, operations not empty.
std::string composition_lines(const Composition& composition);

struct ParsedCompositions {
  std::vector<Composition> compositions;  // in the text's order
  std::size_t whole = 0;                  // bytes of the text up to the end of the last whole one
};
// Errors name the source and the line. Only at the end of the text may a composition be cut short; it is left
// out.
Result<ParsedCompositions> parse_compositions(std::string_view text, std::string_view source);

}  // namespace ergon::profile
