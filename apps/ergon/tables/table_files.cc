#include "tables/table_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "fleet/reading/values.h"
#include "option_parsers.h"
#include "table/csv/write.h"

namespace ergon::app {
namespace {

Result<> take_type(std::string_view text, std::map<std::string, table::Type>& types) {
  const auto equals = text.rfind('=');
  const auto type =
      equals == std::string_view::npos ? std::nullopt : table::type_named(text.substr(equals + 1));
  if (!type) {
    return fail(Errc::invalid_input, "\"{}\" is not COLUMN=TYPE with a type of int, float, timestamp or text",
                text);
  }
  types[std::string(text.substr(0, equals))] = *type;
  return {};
}

}  // namespace

bool is_simulated(const table::Table& table) {
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    if (lower(table.names()[i]) != "simulated") continue;
    const table::Column& column = table.columns()[i];
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (!column.missing(row) && fleet::is_simulated_mark(column.cell(row))) return true;
    }
  }
  return false;
}

void ReadSettings::declare(Options& options) {
  options.parsed("--type", "COLUMN=TYPE",
                 "type of a column: int, float, timestamp or text (default: inferred); repeatable",
                 [this](std::string_view text) { return take_type(text, types); });
  options.parsed("--separator", "C", "field separator (default: comma; tab for a tab)",
                 taking(separator, table::parse_separator));
  options.flag("--pad", pad, "accept rows with fewer or more fields than the header");
}

Result<table::CsvTable> ReadSettings::read(const std::string& file, Shell& shell) const {
  return read(file, shell, true);
}

Result<table::CsvTable> ReadSettings::read(const std::string& file, Shell& shell,
                                           bool types_must_exist) const {
  table::CsvOptions csv;
  csv.stop = shell.stop();
  csv.ragged = pad ? table::RaggedRows::pad : table::RaggedRows::reject;
  csv.separator = separator;
  csv.types = types;
  csv.types_must_exist = types_must_exist;
  constexpr std::size_t kMegabyte = 1'000'000;
  std::unique_ptr<Progress> progress;
  std::size_t shown = 0;
  csv.on_progress = [&](std::size_t done, std::size_t total) {
    if (!progress)
      progress = shell.progress({"reading " + file, std::max<std::size_t>(1, total / kMegabyte), "MB"});
    progress->advance(done / kMegabyte - shown);
    shown = done / kMegabyte;
  };
  auto read = table::read_csv(file, csv);
  progress.reset();
  if (!read) return read.error();
  const table::CsvNotes& notes = read->notes;
  if (notes.padded_rows > 0 || notes.dropped_fields > 0) {
    shell.note(fmt::format("{}: padded {} with missing fields, dropped {} beyond the header", file,
                           counted(notes.padded_rows, "row"), counted(notes.dropped_fields, "field")));
  }
  return read;
}

Result<std::pair<table::CsvTable, table::CsvTable>> ReadSettings::read_two(const std::string& left,
                                                                           const std::string& right,
                                                                           Shell& shell) const {
  auto first = read(left, shell, false);
  if (!first) return first.error();
  auto second = read(right, shell, false);
  if (!second) return second.error();
  for (const auto& [name, type] : types) {
    if (first->table.has(name) || second->table.has(name)) continue;
    return fail(Errc::not_found, "--type: neither {} nor {} has a column \"{}\"", left, right,
                printable(name));
  }
  return std::pair{std::move(*first), std::move(*second)};
}

void WriteSettings::declare(Options& options) {
  options.parsed("--out", "FILE", "CSV file to write, atomically (default: standard output)",
                 [this](std::string_view text) -> Result<> {
                   return text == "-" ? Result<>{} : taking_table_file(out)(text);
                 });
}

Result<int> WriteSettings::write(const table::Table& table, std::string_view schema, TableInputs inputs,
                                 const nlohmann::ordered_json& facts, const std::string& remark,
                                 Shell& shell) const {
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  if (out) {
    if (auto written = table::write_csv(table, std::filesystem::path(*out)); !written) return written.error();
  }
  if (shell.json) {
    nlohmann::ordered_json body = facts;
    if (out) {
      body["out"] = *out;
    } else {
      body["table"] = report::table_json(table);
    }
    if (auto printed = shell.print_document(schema, std::move(inputs.files), body, inputs.simulated);
        !printed)
      return printed.error();
    return kExitDone;
  }
  if (!out) {
    const auto printed = table::write_csv(table, [&](std::string_view text) { return shell.print(text); });
    if (!printed) return printed.error();
  }
  shell.note(out ? fmt::format("{}; written to {}", remark, *out) : remark);
  return kExitDone;
}

}  // namespace ergon::app
