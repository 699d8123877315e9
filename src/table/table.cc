#include "table/table.h"

#include "base/text.h"

namespace ergon::table {

void Table::add(std::string name, Column column) {
  ERGON_EXPECTS(!has(name));
  ERGON_EXPECTS(columns_.empty() || column.size() == rows());
  index_.emplace(name, names_.size());
  names_.push_back(std::move(name));
  columns_.push_back(std::move(column));
}

Result<const Column*> Table::column(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  if (found != index_.end()) return &columns_[found->second];
  return fail(Errc::not_found, "there is no column \"{}\"{}", printable(name), suggestion(name, names_));
}

Result<const Column*> Table::number_column(std::string_view name) const {
  auto found = column(name);
  if (!found || (*found)->numeric()) return found;
  return fail(Errc::invalid_input, "column \"{}\" holds {} values, and numbers are wanted", name,
              name_of((*found)->type()));
}

Result<Table> Table::select(std::span<const std::string> names) const {
  Table chosen;
  for (const std::string& name : names) {
    const auto found = column(name);
    if (!found) return found.error();
    if (chosen.has(name)) return fail(Errc::invalid_input, "column \"{}\" is asked for twice", name);
    chosen.add(name, **found);
  }
  return chosen;
}

Table Table::gather(std::span<const std::size_t> rows) const {
  Table chosen;
  for (std::size_t i = 0; i < names_.size(); ++i) chosen.add(names_[i], columns_[i].gather(rows));
  return chosen;
}

Bytes Table::memory() const {
  Bytes total;
  for (const Column& column : columns_) total += column.memory();
  return total;
}

}  // namespace ergon::table
