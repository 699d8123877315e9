// CSV text. Whatever it is, reading it in one piece with one thread and in small pieces with several gives
// the same table or the same error, and what was read can be written and read again.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "table/csv/read.h"
#include "table/csv/write.h"

namespace {

using namespace ergon;

std::string as_text(const Result<table::CsvTable>& read) {
  if (!read) return "error: " + read.error().message;
  std::string text;
  for (const auto& column : read->table.columns()) text += std::string(table::name_of(column.type())) + "|";
  const auto written = table::write_csv(read->table, [&](std::string_view more) -> Result<> {
    text += more;
    return {};
  });
  if (!written) std::abort();
  return text;
}

std::string csv_of(const table::Table& table) {
  std::string text;
  const auto written = table::write_csv(table, [&](std::string_view more) -> Result<> {
    text += more;
    return {};
  });
  if (!written) std::abort();
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte chooses how to read, the rest is the text.
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  table::CsvOptions whole{.rows_required = false, .threads = 1};
  if ((data[0] & 1) != 0) whole.ragged = table::RaggedRows::pad;
  if ((data[0] & 2) != 0) whole.separator = ';';
  table::CsvOptions pieces = whole;
  pieces.threads = 2;
  pieces.piece_size = 1 + data[0] / 4;
  const auto once = table::parse_csv(text, "fuzz", whole);
  if (as_text(once) != as_text(table::parse_csv(text, "fuzz", pieces))) std::abort();
  if (!once || once->table.rows() == 0) return 0;

  table::CsvOptions typed{.rows_required = false, .threads = 1};
  for (std::size_t i = 0; i < once->table.names().size(); ++i) {
    typed.types[once->table.names()[i]] = once->table.columns()[i].type();
  }
  const std::string written = csv_of(once->table);
  const auto again = table::parse_csv(written, "fuzz", typed);
  if (!again || csv_of(again->table) != written) std::abort();
  return 0;
}
