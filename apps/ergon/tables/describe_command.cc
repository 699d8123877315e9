#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/statistics/moments.h"
#include "base/statistics/quantile.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/text_table.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  std::string file;
  ReadSettings read;
};

// What there is to say about one column; absent where it does not apply.
struct ColumnFacts {
  std::size_t missing = 0;
  std::optional<std::size_t> distinct;  // of texts
  std::string least;
  std::string greatest;
  statistics::Moments moments;
  std::optional<double> median;
};

ColumnFacts facts_of(const table::Column& column) {
  ColumnFacts facts;
  facts.missing = column.missing_rows().count();
  if (column.type() == table::Type::text) {
    facts.distinct = column.text().dictionary->size();
    return facts;
  }
  if (column.type() == table::Type::timestamp) {
    std::optional<Timestamp> least, greatest;
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column.missing(row)) continue;
      const Timestamp t = column.timestamps()[row];
      least = std::min(least.value_or(t), t);
      greatest = std::max(greatest.value_or(t), t);
    }
    if (least) facts.least = to_text(*least);
    if (greatest) facts.greatest = to_text(*greatest);
    return facts;
  }
  std::vector<double> numbers = column.numbers();
  for (const double number : numbers) facts.moments.add(number);
  std::sort(numbers.begin(), numbers.end());
  facts.median = statistics::quantile_of_sorted(numbers, 0.5);
  return facts;
}

Json optional_json(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json facts_json(const std::string& name, const table::Column& column, const ColumnFacts& facts) {
  Json json = {{"name", name}, {"type", table::name_of(column.type())}, {"missing", facts.missing}};
  if (facts.distinct) json["distinct"] = *facts.distinct;
  if (column.type() == table::Type::timestamp) {
    json["min"] = facts.least.empty() ? Json(nullptr) : Json(facts.least);
    json["max"] = facts.greatest.empty() ? Json(nullptr) : Json(facts.greatest);
  }
  if (column.numeric()) {
    json["min"] = optional_json(facts.moments.min());
    json["median"] = optional_json(facts.median);
    json["max"] = optional_json(facts.moments.max());
    json["mean"] = optional_json(facts.moments.mean());
    json["standard_deviation"] = optional_json(facts.moments.standard_deviation());
    json["coefficient_of_variation"] = optional_json(facts.moments.coefficient_of_variation());
  }
  return json;
}

std::string short_number(const std::optional<double>& number) {
  return number ? fmt::format("{:.6g}", *number) : "";
}

std::vector<std::string> facts_row(const std::string& name, const table::Column& column,
                                   const ColumnFacts& facts) {
  const auto variation = facts.moments.coefficient_of_variation();
  return {name,
          std::string(table::name_of(column.type())),
          facts.missing > 0 ? std::to_string(facts.missing) : "",
          facts.distinct ? std::to_string(*facts.distinct) : "",
          column.numeric() ? short_number(facts.moments.min()) : facts.least,
          short_number(facts.median),
          column.numeric() ? short_number(facts.moments.max()) : facts.greatest,
          short_number(facts.moments.mean()),
          variation ? to_text(Ratio{*variation}) : ""};
}

Result<int> describe(const Settings& settings, Shell& shell) {
  const auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  const table::Table& table = read->table;

  using report::Align;
  report::TextTable shown({{"column"},
                           {"type"},
                           {"missing", Align::right},
                           {"distinct", Align::right},
                           {"least", Align::right},
                           {"median", Align::right},
                           {"greatest", Align::right},
                           {"mean", Align::right},
                           {"cv", Align::right}});
  Json columns = Json::array();
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    const table::Column& column = table.columns()[i];
    const ColumnFacts facts = facts_of(column);
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
    printed = shell.print_document("ergon.table.describe/1", {settings.file}, body);
  } else {
    printed = shell.print(fmt::format("{}: {}, {}, {} of text, {} in memory\n\n{}", settings.file,
                                      counted(table.rows(), "row"), counted(table.columns().size(), "column"),
                                      to_text(bytes(read->notes.text_bytes)), to_text(table.memory()),
                                      shown.text(shell.colour())));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command describe_command() {
  return {
      .name = "describe",
      .summary = "the columns of a file: types, missing values, range and spread",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<Settings>();
        options.argument("FILE", settings->file, "a CSV file, or '-'");
        settings->read.declare(options);
        return [settings](Shell& shell) { return describe(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
