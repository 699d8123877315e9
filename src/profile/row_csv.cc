#include "profile/row_csv.h"

#include "base/internal_error.h"
#include "base/text.h"
#include "profile/csv_lines.h"
#include "profile/row_columns.h"

namespace ergon::profile {

std::string row_header(Subject::Kind kind) {
  std::string line;
  for (const RowColumn& column : row_columns(kind)) {
    if (!line.empty()) line += ',';
    line += column.name;
  }
  line += '\n';
  return line;
}

Result<std::string> row_line(const Row& row) {
  std::string line;
  Row read_back;
  for (const RowColumn& column : row_columns(row.subject.kind)) {
    const std::string text = column.text(row);
    if (!column.read(text, read_back))
      return internal_error("{}: expected {}, not \"{}\"", column.name, column.expected, printable(text));
    if (!line.empty()) line += ',';
    append_field(line, text);
  }
  line += '\n';
  return line;
}

Result<std::vector<Row>> parse_rows(std::string_view text, std::string_view source, Subject::Kind kind) {
  const auto columns = row_columns(kind);
  std::vector<CsvLines::Column> requested;
  for (const RowColumn& column : columns)
    requested.push_back({column.name, column.required, column.former_name});
  auto lines = CsvLines::open(text, source, requested);
  if (!lines) return lines.error();
  std::vector<Row> rows;
  for (;;) {
    const auto more = lines->next();
    if (!more) return more.error();
    if (!*more) return rows;
    Row& row = rows.emplace_back();
    row.subject.kind = kind;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto field = lines->field(i);
      if (field && !columns[i].read(*field, row)) return lines->unreadable(i, columns[i].expected);
    }
  }
}

}  // namespace ergon::profile
