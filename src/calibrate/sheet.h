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

// A CSV file whose cells are asked for by name.
class Sheet {
 public:
  // Errors: a file that cannot be read, or lacks a column.
  static Result<Sheet> read(const std::filesystem::path& path, std::initializer_list<std::string_view> names);

  std::size_t rows() const { return table_.rows(); }
  std::string text(std::string_view name, std::size_t row) const;
  // Nothing where there is no number above 0.
  std::optional<double> number(std::string_view name, std::size_t row) const;

 private:
  explicit Sheet(table::Table table) : table_(std::move(table)) {}
  table::Table table_;
};

}  // namespace ergon::calibrate
