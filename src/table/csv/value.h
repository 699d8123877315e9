#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/column.h"

namespace ergon::table::csv {

// What is known of a column's type: nothing while all its values were missing.
using KnownType = std::optional<Type>;

// The narrowest type that holds this value without loss. Numbers with leading zeros, and whole numbers too
// large for 64 bits, are text: they are serial numbers, not amounts.
Type narrowest_type(std::string_view value);

// The narrowest type that holds the values of both: numbers widen from int to float, and anything else is
// text.
KnownType join(KnownType a, KnownType b);

// A value in a column whose type was inferred is accepted exactly if join(column, narrowest_type(value)) is
// the column's type, so that what is inferred does not depend on which rows were seen first.
std::optional<std::int64_t> inferred_int64(std::string_view value);
std::optional<double> inferred_float64(std::string_view value);

// Without the blanks and tabs around it. They are layout around a number or a time, and part of a text.
inline std::string_view without_blanks(std::string_view value) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && blank(value.front())) value.remove_prefix(1);
  while (!value.empty() && blank(value.back())) value.remove_suffix(1);
  return value;
}

// Words that stand for a missing value in columns that are not text.
bool means_missing(std::string_view value, const std::vector<std::string>& missing_words);

}  // namespace ergon::table::csv
