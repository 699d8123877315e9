#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/or_null.h"
#include "report/text_table.h"
#include "table/describe.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

struct DescribeSettings {
  std::string file;
  ReadSettings read;
};

using table::ColumnFacts;

Json row_json(const table::Column& column, const std::optional<std::size_t>& row) {
  return row ? report::cell_json(column, *row) : Json(nullptr);
}

std::string row_text(const table::Column& column, const std::optional<std::size_t>& row) {
  return row ? column.cell(*row) : "";
}

Json facts_json(const std::string& name, const table::Column& column, const ColumnFacts& facts) {
  Json json = {{"name", name}, {"type", table::name_of(column.type())}, {"missing", facts.missing}};
  if (facts.distinct) json["distinct"] = *facts.distinct;
  if (column.type() == table::Type::text) return json;
  json["min"] = row_json(column, facts.min_row);
  json["max"] = row_json(column, facts.max_row);
  if (!column.numeric()) return json;
  json["median"] = report::or_null(facts.median);
  json["mean"] = report::or_null(facts.mean);
  json["standard_deviation"] = report::or_null(facts.standard_deviation);
  json["coefficient_of_variation"] = report::or_null(facts.coefficient_of_variation);
  return json;
}

std::string short_number(const std::optional<double>& number) {
  return number ? rounded_text(*number, 6) : "";
}

std::vector<std::string> facts_row(const std::string& name, const table::Column& column,
                                   const ColumnFacts& facts) {
  const auto& variation = facts.coefficient_of_variation;
  return {printable(name),
          std::string(table::name_of(column.type())),
          facts.missing > 0 ? std::to_string(facts.missing) : "",
          facts.distinct ? std::to_string(*facts.distinct) : "",
          row_text(column, facts.min_row),
          short_number(facts.median),
          row_text(column, facts.max_row),
          short_number(facts.mean),
          variation ? to_text(Ratio{*variation}) : ""};
}

Result<int> describe(const DescribeSettings& settings, Shell& shell) {
  const auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  const table::Table& table = read->table;

  using report::Align;
  report::TextTable shown({{"column"},
                           {"type"},
                           {"missing", Align::right, 1},
                           {"distinct", Align::right, 1},
                           {"min", Align::right},
                           {"median", Align::right, 2},
                           {"max", Align::right},
                           {"mean", Align::right},
                           {"cv", Align::right, 1}});
  Json columns = Json::array();
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    const table::Column& column = table.columns()[i];
    const ColumnFacts facts = table::describe(column);
    columns.push_back(facts_json(table.names()[i], column, facts));
    shown.row(facts_row(table.names()[i], column, facts));
  }

  Result<> printed;
  if (shell.json) {
    const Json body = {{"file", settings.file},
                       {"rows", table.rows()},
                       {"text_bytes", read->notes.text_bytes},
                       {"table_bytes", static_cast<std::uint64_t>(table.memory().si())},
                       {"blank_lines", read->notes.blank_lines},
                       {"padded_rows", read->notes.padded_rows},
                       {"dropped_fields", read->notes.dropped_fields},
                       {"columns", columns}};
    printed = shell.print_document("ergon.table.describe/1", {settings.file}, body, is_simulated(table));
  } else {
    printed = shell.print_report(
        fmt::format("{}: {}, {}, {} of text, {} in memory\n\n{}", settings.file, counted(table.rows(), "row"),
                    counted(table.columns().size(), "column"), to_text(bytes(read->notes.text_bytes)),
                    to_text(table.memory()), shown.text(shell.table_style())));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command describe_command() {
  return {
      .name = "describe",
      .summary = "columns of a file: type, missing values, range, mean and variation",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<DescribeSettings>();
        options.argument("FILE", settings->file, "CSV file, or - for standard input");
        settings->read.declare(options);
        return [settings](Shell& shell) { return describe(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
