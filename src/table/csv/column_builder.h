#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "table/column.h"
#include "table/csv/value.h"

namespace ergon::table::csv {

// Consecutive rows filled by one worker, starting at `first_row`.
struct FilledRun {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t worker = 0;
};

// A column filled by several threads, each writing its own rows. Each worker encodes texts with its own
// dictionary; finish() merges the dictionaries in the order in which the texts first appear in the file, so
// the result does not depend on the number of threads.
class ColumnBuilder {
 public:
  // An `inferred` type rejects values that need a wider type; a given type accepts every value that can be
  // parsed as it.
  ColumnBuilder(KnownType type, bool inferred, std::size_t rows, std::size_t workers);

  // Stores a value; false if it does not fit the type.
  bool put(std::size_t row, std::string_view value, std::size_t worker);
  void put_missing(std::size_t row);

  KnownType type() const { return type_; }
  bool inferred() const { return inferred_; }

  // The column of the filled rows, runs in file order; rows between the runs are omitted.
  Column finish(std::span<const FilledRun> runs) &&;

 private:
  // Texts of one worker, and the row where each first occurs.
  struct WorkerTexts {
    Dictionary dictionary;
    std::vector<std::size_t> first_rows;
    Code last = 0;  // the row before often holds the same text
    bool any = false;
  };

  bool put_text(std::size_t row, std::string_view value, WorkerTexts& texts);
  std::shared_ptr<const Dictionary> merge_texts(std::span<const FilledRun> runs);

  KnownType type_;
  bool inferred_;
  std::size_t rows_;
  Values<std::int64_t> int64s_;
  Values<double> float64s_;
  Values<Timestamp> timestamps_;
  Values<Code> codes_;
  MissingRows missing_;
  std::vector<WorkerTexts> texts_;
};

}  // namespace ergon::table::csv
