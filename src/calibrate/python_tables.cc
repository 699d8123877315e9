#include "calibrate/python_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"
#include "calibrate/csv_columns.h"

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

std::optional<graph::Mode> mode_named(std::string_view text) {
  if (text == "infer") return graph::Mode::inference;
  if (text == "train") return graph::Mode::training;
  return std::nullopt;
}

// "tf32conv": TF32 convolutions, fp32 otherwise; "bf16_nhwc": bf16, channels-last.
std::optional<device::Precision> dtype_of(std::string_view text) {
  if (text == "tf32conv") return device::Precision::tf32;
  if (text == "bf16" || text == "bf16_nhwc") return device::Precision::bf16;
  if (text == "fp32") return device::Precision::fp32;
  return std::nullopt;
}

Result<> read_table(const std::filesystem::path& path, std::map<Key, Runs>& into,
                    std::vector<std::string>& skipped) {
  const auto sheet =
      CsvColumns::read(path, {"model", "size", "batch", "mode", "dtype", "ms_per_iter", "p_mean_instant_w"});
  if (!sheet) return sheet.error();
  for (std::size_t i = 0; i < sheet->rows(); ++i) {
    const auto size = parse_int64(sheet->text("size", i)), batch = parse_int64(sheet->text("batch", i));
    const auto mode = mode_named(sheet->text("mode", i));
    const auto precision = dtype_of(sheet->text("dtype", i));
    const auto milliseconds = sheet->number("ms_per_iter", i), watts = sheet->number("p_mean_instant_w", i);
    if (!size || !batch || *batch < 1 || !mode || !precision || !milliseconds || !watts) {
      skipped.push_back(fmt::format("{}, row {}: missing or unknown size, batch, mode, dtype, time or power",
                                    path.filename().string(), i + 1));
      continue;
    }
    Runs& row = into[{sheet->text("model", i), *size, *batch, *mode, *precision}];
    row.times.push_back(*milliseconds * 1e-3);
    row.powers.push_back(*watts);
  }
  return {};
}

}  // namespace

bool holds_python_tables(const std::filesystem::path& folder) { return !tables_in(folder).empty(); }

Result<PythonTables> read_python_tables(const std::filesystem::path& folder) {
  const auto paths = tables_in(folder);
  if (paths.empty()) return fail(Errc::not_found, "{} has no networks_*.csv", folder.string());
  PythonTables tables;
  std::map<Key, Runs> rows;
  for (const auto& path : paths) {
    if (const auto read = read_table(path, rows, tables.skipped); !read) return read.error();
  }
  for (const auto& [key, row] : rows) {
    const auto& [network, size, batch, mode, precision] = key;
    tables.networks.push_back({mode, precision, network, batch, size, Seconds{*statistics::median(row.times)},
                               Watts{*statistics::median(row.powers)}});
  }
  return tables;
}

}  // namespace ergon::calibrate
