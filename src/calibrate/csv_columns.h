#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "table/table.h"

namespace ergon::calibrate {

// A CSV file with access by column name.
class CsvColumns {
 public:
  // Errors: a file that cannot be read or lacks one of the columns.
  static Result<CsvColumns> read(const std::filesystem::path& path,
                                 std::initializer_list<std::string_view> names);

  std::size_t rows() const { return table_.rows(); }
  std::string text(std::string_view name, std::size_t row) const;
  // Absent unless the cell is a positive number.
  std::optional<double> number(std::string_view name, std::size_t row) const;

 private:
  explicit CsvColumns(table::Table table) : table_(std::move(table)) {}
  table::Table table_;
};

}  // namespace ergon::calibrate
