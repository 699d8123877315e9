#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/timestamp.h"
#include "table/csv/read.h"

// A simple, slow CSV reader: one character and one value at a time. The fast reader must agree with it.

namespace ergon::test {

// Absent for an empty field without quotes.
struct NaiveField {
  std::optional<std::string> text;
  bool quoted = false;
  std::size_t line = 1;  // where it begins
};
using NaiveRow = std::vector<NaiveField>;

// Without a line number if the whole text is wrong.
struct NaiveError {
  std::optional<std::size_t> line;
  std::string reason;
};

// The rows up to the first misplaced quote.
struct NaiveRows {
  std::vector<NaiveRow> rows;
  std::optional<NaiveError> fault;
};
NaiveRows naive_rows(std::string_view text, char separator);

using NaiveValue = std::variant<std::int64_t, double, Timestamp, std::string>;

struct NaiveColumn {
  std::string name;
  table::Type type = table::Type::text;
  std::vector<std::optional<NaiveValue>> values;
};

struct NaiveTable {
  std::vector<NaiveColumn> columns;
  std::size_t blank_lines = 0;
  std::size_t padded_rows = 0;
  std::size_t dropped_fields = 0;
};

// The type of a single value without surrounding blanks.
table::Type naive_type(const std::string& value);

// Applies separator, missing words, names, ragged and rows_required; all types are inferred.
std::variant<NaiveTable, NaiveError> naive_read_csv(std::string_view text, const table::CsvOptions& options);

}  // namespace ergon::test
