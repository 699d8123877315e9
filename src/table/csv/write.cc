#include "table/csv/write.h"

#include <string>

#include "base/file.h"
#include "table/file_format.h"

namespace ergon::table {
namespace {

constexpr std::size_t kBufferBytes = 1 << 18;

// True if a text needs no quotes. At the start of a file some bytes would be read as a byte order mark.
bool plain(std::string_view text) {
  constexpr std::string_view kSpecial = ",\"\r\n";
  constexpr std::string_view kEdges = " \t\xef\xfe\xff";
  return !text.empty() && text.find_first_of(kSpecial) == std::string_view::npos &&
         kEdges.find(text.front()) == std::string_view::npos &&
         kEdges.find(text.back()) == std::string_view::npos;
}

void append_text(std::string& out, std::string_view text) {
  if (plain(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_cell(std::string& out, const Column& column, std::size_t row) {
  if (column.missing(row)) return;
  if (column.type() == Type::text) {
    append_text(out, column.text_at(row));
  } else {
    out += column.cell(row);
  }
}

}  // namespace

Result<> write_csv(const Table& table, const CsvSink& sink) {
  std::string out;
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    if (i > 0) out += ',';
    append_text(out, table.names()[i]);
  }
  out += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      if (i > 0) out += ',';
      append_cell(out, table.columns()[i], row);
    }
    out += '\n';
    if (out.size() >= kBufferBytes) {
      if (auto written = sink(out); !written) return written;
      out.clear();
    }
  }
  return out.empty() ? Result<>{} : sink(out);
}

Result<> write_csv(const Table& table, const std::filesystem::path& path) {
  if (auto supported = check_table_output(path); !supported) return supported;
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  const CsvSink sink = [&](std::string_view text) { return file->write(text); };
  if (auto written = write_csv(table, sink); !written) return written;
  return file->commit();
}

}  // namespace ergon::table
