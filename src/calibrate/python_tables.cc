#include "calibrate/python_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"
#include "calibrate/board_power.h"
#include "calibrate/csv_columns.h"
#include "calibrate/table_words.h"

namespace ergon::calibrate {
namespace {

using Key = std::tuple<std::string, std::int64_t, std::int64_t, graph::Mode, device::Precision>;

struct Runs {
  std::vector<double> times, powers;
};

// networks_*.csv. Datasets of `ergon profile` have networks.csv, which does not match.
std::vector<std::filesystem::path> tables_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> tables;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("networks_") && name.ends_with(".csv")) tables.push_back(entry.path());
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

// What is wrong with a row; empty if it is complete.
std::string fault_of(const CsvColumns& sheet, std::size_t row) {
  for (const char* const column : {"size", "batch"}) {
    const auto number = parse_int64(sheet.text(column, row));
    if (!number || *number < 1) return fmt::format("{} is not a whole number above 0", column);
  }
  if (const auto mode = mode_of_word(sheet.text("mode", row)); !mode) return mode.error().message;
  if (const auto dtype = precision_of_word(sheet.text("dtype", row)); !dtype) return dtype.error().message;
  for (const char* const column : {"ms_per_iter", "p_mean_instant_w"}) {
    if (!sheet.number(column, row)) return fmt::format("{} is not a positive number", column);
  }
  return "";
}

Result<> read_table(const std::filesystem::path& path, const std::string& device, std::map<Key, Runs>& into,
                    std::vector<std::string>& skipped) {
  const auto sheet =
      CsvColumns::read(path, {"model", "size", "batch", "mode", "dtype", "ms_per_iter", "p_mean_instant_w"});
  if (!sheet) return sheet.error();
  BoardPower board;
  for (std::size_t i = 0; i < sheet->rows(); ++i) {
    if (const std::string fault = fault_of(*sheet, i); !fault.empty()) {
      skipped.push_back(fmt::format("{}, row {}: {}", path.filename().string(), i + 1, fault));
      continue;
    }
    const double power = *sheet->number("p_mean_instant_w", i);
    if (const auto fine = board.check(device, Watts{power}, "p_mean_instant_w", i); !fine)
      return fine.error().in(path.string());
    Runs& row = into[{sheet->text("model", i), *parse_int64(sheet->text("size", i)),
                      *parse_int64(sheet->text("batch", i)), *mode_of_word(sheet->text("mode", i)),
                      *precision_of_word(sheet->text("dtype", i))}];
    row.times.push_back(*sheet->number("ms_per_iter", i) * 1e-3);
    row.powers.push_back(power);
  }
  return {};
}

}  // namespace

bool holds_python_tables(const std::filesystem::path& folder) { return !tables_in(folder).empty(); }

Result<PythonTables> read_python_tables(const std::filesystem::path& folder, const std::string& device) {
  const auto paths = tables_in(folder);
  if (paths.empty()) return fail(Errc::not_found, "{} has no networks_*.csv", folder.string());
  PythonTables tables;
  std::map<Key, Runs> rows;
  for (const auto& path : paths) {
    if (const auto read = read_table(path, device, rows, tables.skipped); !read) return read.error();
  }
  for (const auto& [key, row] : rows) {
    const auto& [network, size, batch, mode, precision] = key;
    tables.networks.push_back({mode, precision, network, batch, size, Seconds{*statistics::median(row.times)},
                               Watts{*statistics::median(row.powers)}});
  }
  return tables;
}

}  // namespace ergon::calibrate
