#include "calibrate/thesis_tables.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/statistics/quantile.h"
#include "base/text.h"
#include "calibrate/board_power.h"
#include "calibrate/csv_columns.h"

namespace ergon::calibrate {
namespace {

constexpr std::string_view kOperations = "a30_2080ti_operations.csv", kNetworks = "a30_2080ti_networks.csv";

// Empty for an unknown GPU.
std::string twin_of(std::string_view gpu) {
  if (gpu == "A30_tf32" || gpu == "A30_fp32") return "a30";
  return gpu == "RTX2080TI" ? "rtx2080ti" : "";
}
device::Precision precision_of(std::string_view gpu) {
  return gpu == "A30_fp32" ? device::Precision::fp32 : device::Precision::tf32;
}
graph::Mode mode_of(std::string_view text) {
  return text.find("train") != std::string_view::npos ? graph::Mode::training : graph::Mode::inference;
}

struct Repeats {
  std::vector<double> times, powers;
};

Result<> read_operations(const std::filesystem::path& path, ThesisTables& into) {
  const auto sheet =
      CsvColumns::read(path, {"gpu", "mode", "op", "input_size", "time_per_iter_s", "power_W"});
  if (!sheet) return sheet.error();
  BoardPower board;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Repeats> rows;
  for (std::size_t i = 0; i < sheet->rows(); ++i) {
    const auto time = sheet->number("time_per_iter_s", i), power = sheet->number("power_W", i);
    if (!time || !power) {
      into.skipped.push_back(fmt::format("row {}: no time or no power", i + 1));
      continue;
    }
    if (twin_of(sheet->text("gpu", i)).empty()) {
      into.skipped.push_back(fmt::format("row {}: unknown GPU {}", i + 1, printable(sheet->text("gpu", i))));
      continue;
    }
    if (const auto fine = board.check(twin_of(sheet->text("gpu", i)), Watts{*power}, "power_W", i); !fine)
      return fine.error().in(path.string());
    Repeats& row = rows[{sheet->text("gpu", i), sheet->text("mode", i), sheet->text("op", i),
                         sheet->text("input_size", i)}];
    row.times.push_back(*time);
    row.powers.push_back(*power);
  }
  for (const auto& [key, row] : rows) {
    const auto& [gpu, mode, module, extents] = key;
    auto operation = torch_operation(module, extents);
    if (!operation) {
      into.skipped.push_back(operation.error().message);
      continue;
    }
    into.operations.push_back({twin_of(gpu), mode_of(mode), precision_of(gpu),
                               fmt::format("{} {}", module, extents), std::move(*operation),
                               Seconds{*statistics::median(row.times)},
                               Watts{*statistics::median(row.powers)}});
  }
  return {};
}

// Batch and image side length of "(32, 3, 224, 224)".
std::optional<std::pair<std::int64_t, std::int64_t>> batch_and_side(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (std::string_view part : split(text, ',')) {
    while (!part.empty() && (part.front() == '(' || part.front() == ' ')) part.remove_prefix(1);
    while (!part.empty() && (part.back() == ')' || part.back() == ' ')) part.remove_suffix(1);
    const auto size = parse_int64(part);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  if (sizes.size() != 4) return std::nullopt;
  return std::pair{sizes[0], sizes[3]};
}

Result<> read_networks(const std::filesystem::path& path, ThesisTables& into) {
  const auto sheet =
      CsvColumns::read(path, {"gpu", "mode", "model", "input_size", "time_per_iter_s", "power_W"});
  if (!sheet) return sheet.error();
  BoardPower board;
  for (std::size_t i = 0; i < sheet->rows(); ++i) {
    const auto shape = batch_and_side(sheet->text("input_size", i));
    const auto time = sheet->number("time_per_iter_s", i), power = sheet->number("power_W", i);
    if (!shape || !time || !power) {
      into.skipped.push_back(fmt::format("{}: no size, time or power", sheet->text("model", i)));
      continue;
    }
    const std::string gpu = sheet->text("gpu", i);
    if (twin_of(gpu).empty()) {
      into.skipped.push_back(fmt::format("{}: unknown GPU {}", sheet->text("model", i), printable(gpu)));
      continue;
    }
    if (const auto fine = board.check(twin_of(gpu), Watts{*power}, "power_W", i); !fine)
      return fine.error().in(path.string());
    into.networks.push_back({twin_of(gpu), mode_of(sheet->text("mode", i)), precision_of(gpu),
                             sheet->text("model", i), shape->first, shape->second, Seconds{*time},
                             Watts{*power}});
  }
  return {};
}

}  // namespace

bool holds_thesis_tables(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / kOperations, ignored) ||
         std::filesystem::exists(folder / kNetworks, ignored);
}

Result<ThesisTables> read_thesis_tables(const std::filesystem::path& folder) {
  if (!holds_thesis_tables(folder))
    return fail(Errc::not_found, "{} has neither {} nor {}", folder.string(), kOperations, kNetworks);
  ThesisTables tables;
  if (std::filesystem::exists(folder / kOperations)) {
    if (const auto read = read_operations(folder / kOperations, tables); !read) return read.error();
  }
  if (std::filesystem::exists(folder / kNetworks)) {
    if (const auto read = read_networks(folder / kNetworks, tables); !read) return read.error();
  }
  return tables;
}

}  // namespace ergon::calibrate
