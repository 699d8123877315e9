#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "table/column.h"

namespace ergon::table {

// Named columns of equal length. Names are unique.
class Table {
 public:
  // Contract: the name is new and the column as long as the others.
  void add(std::string name, Column column);

  std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  std::span<const std::string> names() const { return names_; }
  std::span<const Column> columns() const { return columns_; }
  bool has(std::string_view name) const { return index_.contains(std::string(name)); }

  // The column of that name, alive as long as the table; the error suggests the nearest name.
  Result<const Column*> column(std::string_view name) const;
  // The same, and an error if it is not a number column.
  Result<const Column*> number_column(std::string_view name) const;

  // Only these columns, in this order.
  Result<Table> select(std::span<const std::string> names) const;
  // These rows in this order; kNoRow gives a row of missing values.
  Table gather(std::span<const std::size_t> rows) const;

  Bytes memory() const;

 private:
  std::vector<std::string> names_;
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::size_t> index_;  // of each name
};

}  // namespace ergon::table
