#pragma once

#include <filesystem>

#include "base/result.h"

namespace ergon::table {

// Tables are CSV text. A file name that promises another format is an error: a CSV file named x.parquet
// misleads its next reader, and JSON would be read as a table of one odd column.

// For reading: fails for extensions of other formats, such as .parquet, .json and .xlsx, also before .gz,
// .xz or .zst. Logs have any other extension.
Result<> check_table_input(const std::filesystem::path& path);

// For writing: fails for these, and for .tsv, .gz, .xz and .zst, because commas are written, uncompressed.
// Any other name is accepted, such as decisions.log and results.2026-11-18.
Result<> check_table_output(const std::filesystem::path& path);

}  // namespace ergon::table
