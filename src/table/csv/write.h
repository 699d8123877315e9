#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "table/table.h"

namespace ergon::table {

// Takes the next piece of CSV text.
using CsvSink = std::function<Result<>(std::string_view)>;

// Writes RFC 4180 text with LF line ends. Numbers are the shortest texts that parse exactly, times are
// ISO 8601 in UTC, a missing value is an empty field and an empty text is "".
Result<> write_csv(const Table& table, const CsvSink& sink);

// The same to a file, atomically. Errors: those of check_table_output(); those of writing the file.
Result<> write_csv(const Table& table, const std::filesystem::path& path);

}  // namespace ergon::table
