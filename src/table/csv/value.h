#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/column.h"

namespace ergon::table::csv {

// The type of a column as far as known; absent while all its values are missing.
using KnownType = std::optional<Type>;

// The narrowest type that holds this value without loss. Numbers with leading zeros, and integers beyond 64
// bits, are text: they are serial numbers, not quantities.
Type narrowest_type(std::string_view value);

// The narrowest type that holds the values of both: numbers widen from int to float, and anything else is
// text.
KnownType join(KnownType a, KnownType b);

// A column with an inferred type accepts a value exactly if join(column, narrowest_type(value)) is the
// column's type, so the inferred type does not depend on the order of rows.
std::optional<std::int64_t> inferred_int64(std::string_view value);
std::optional<double> inferred_float64(std::string_view value);

// Removes surrounding blanks and tabs, which are ignored around numbers and times but belong to a text.
inline std::string_view without_blanks(std::string_view value) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && blank(value.front())) value.remove_prefix(1);
  while (!value.empty() && blank(value.back())) value.remove_suffix(1);
  return value;
}

// Words that mean a missing value in non-text columns.
bool means_missing(std::string_view value, const std::vector<std::string>& missing_words);

}  // namespace ergon::table::csv
