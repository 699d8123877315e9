#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/csv/column_builder.h"
#include "table/csv/field.h"
#include "table/csv/read.h"

namespace ergon::table::csv {

// An error in the file and its position.
struct Fault {
  std::size_t offset = 0;             // of the field, in the text
  std::optional<std::size_t> column;  // in the header; absent if the whole row is wrong
  std::string message;
};

// The result of reading one piece of the file.
struct PieceOutcome {
  std::size_t rows = 0;
  std::size_t worker = 0;
  CsvNotes notes;
  std::optional<Fault> fault;
  std::map<std::size_t, KnownType> wider;  // by header column: the type that values which did not fit need
};

// Reads the rows of one piece into the builders, which are given by header column; null where a column is not
// read.
class PieceReader {
 public:
  PieceReader(std::string_view text, const CsvOptions& options, const std::vector<ColumnBuilder*>& builders,
              std::size_t first_row, std::size_t worker);

  // For walk_fields: takes the next field; false at a fault.
  bool operator()(const RawField& field, bool ends_row);

  PieceOutcome outcome() && { return std::move(outcome_); }

 private:
  bool store(const RawField& field);
  void store_value(ColumnBuilder& builder, std::string_view value, bool quoted);
  bool end_row(const RawField& last);
  bool fault_at(const RawField& field, std::optional<std::size_t> column, std::string message);

  std::string_view text_;
  const CsvOptions& options_;
  const std::vector<ColumnBuilder*>& builders_;
  bool words_first_;  // some word for "missing" is also a number, so words are checked first
  std::size_t row_;
  std::size_t column_ = 0;
  std::optional<std::string> misfit_;
  std::string scratch_;
  PieceOutcome outcome_;
};

}  // namespace ergon::table::csv
