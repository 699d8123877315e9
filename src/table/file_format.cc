#include "table/file_format.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "base/text.h"

namespace ergon::table {
namespace {

constexpr std::string_view kCompressed[] = {".gz", ".xz", ".zst"};

// Formats of tables, data and documents that are not CSV text.
constexpr std::string_view kOtherFormats[] = {
    ".7z",     ".arrow",   ".avro", ".br",   ".bz2",  ".db",    ".feather", ".h5",     ".hdf",
    ".hdf5",   ".html",    ".ipc",  ".json", ".lz4",  ".jsonl", ".ndjson",  ".nc",     ".npy",
    ".npz",    ".ods",     ".onnx", ".orc",  ".pdf",  ".pkl",   ".pb",      ".pickle", ".parquet",
    ".sqlite", ".sqlite3", ".tar",  ".xls",  ".xlsx", ".xml",   ".yml",     ".yaml",   ".zip"};

// Endings of CSV text that is not written: other separators, and compression.
constexpr std::string_view kOnlyRead[] = {".tsv", ".gz", ".xz", ".zst"};

template <typename List>
bool is_in(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace

Result<> check_table_input(const std::filesystem::path& path) {
  std::string extension = lower(path.extension().string());
  if (is_in(kCompressed, extension)) extension = lower(path.stem().extension().string());
  if (!is_in(kOtherFormats, extension)) return {};
  return fail(
      Errc::invalid_input,
      "{}: tables in {} format cannot be read; expected CSV text (.csv, .tsv, .txt or .log; plain, .gz, .xz "
      "or .zst)",
      path.string(), extension);
}

Result<> check_table_output(const std::filesystem::path& path) {
  const std::string extension = lower(path.extension().string());
  if (!is_in(kOnlyRead, extension) && !is_in(kOtherFormats, extension)) return {};
  return fail(Errc::invalid_input,
              "{}: tables cannot be written in {} format, only as uncompressed CSV text (example: table.csv)",
              path.string(), extension);
}

}  // namespace ergon::table
