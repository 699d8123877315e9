#include "calibrate/csv_columns.h"

#include "base/text.h"
#include "table/csv/read.h"

namespace ergon::calibrate {

Result<CsvColumns> CsvColumns::read(const std::filesystem::path& path,
                                    std::initializer_list<std::string_view> names) {
  auto table = table::read_csv(path);
  if (!table) return table.error();
  for (const std::string_view name : names) {
    if (const auto column = table->table.column(name); !column) return column.error().in(path.string());
  }
  return CsvColumns(std::move(table->table));
}

std::string CsvColumns::text(std::string_view name, std::size_t row) const {
  return (*table_.column(name))->cell(row);
}

std::optional<double> CsvColumns::number(std::string_view name, std::size_t row) const {
  const auto value = parse_double(text(name, row));
  return value && *value > 0 ? value : std::nullopt;
}

}  // namespace ergon::calibrate
