#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "table/asof_join.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

struct JoinSettings {
  std::string left;
  std::string right;
  table::AsofOptions asof;
  ReadSettings read;
  WriteSettings write;
};

Result<> take_tolerance(std::string_view text, table::AsofOptions& asof) {
  if (const auto number = parse_double(text)) {
    if (*number < 0) return fail(Errc::invalid_input, "--tolerance cannot be negative");
    asof.number_tolerance = *number;
    return {};
  }
  const auto time = parse_quantity<Seconds>(text, "--tolerance");
  if (!time) return time.error();
  if (*time < Seconds{}) return fail(Errc::invalid_input, "--tolerance cannot be negative");
  asof.time_tolerance = *time;
  return {};
}

Result<int> join(const JoinSettings& settings, Shell& shell) {
  const auto tables = settings.read.read_two(settings.left, settings.right, shell);
  if (!tables) return tables.error();
  const auto& [left, right] = *tables;

  table::AsofOptions asof = settings.asof;
  asof.left_name = settings.left;
  asof.right_name = settings.right;
  const auto joined = table::asof_join(left.table, right.table, asof);
  if (!joined) return joined.error();
  const std::size_t rows = joined->table.rows();
  return settings.write.write(
      joined->table, "ergon.table.join/1",
      {{settings.left, settings.right}, is_simulated(left.table) || is_simulated(right.table)},
      {{"rows", rows}, {"unmatched", joined->unmatched}},
      fmt::format("{}, {} without a match", counted(rows, "row"), joined->unmatched), shell);
}

}  // namespace

Command join_command() {
  return {
      .name = "join",
      .summary = "as-of join: the nearest row in time of another file",
      .description = "Keeps every row of LEFT. Rows without a match get missing values and are counted.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<JoinSettings>();
        options.argument("LEFT", settings->left, "file whose rows are kept");
        options.argument("RIGHT", settings->right, "file in which matches are searched");
        table::AsofOptions& asof = settings->asof;
        options.parsed("--on", "COLUMN", "ordered column (LEFT=RIGHT if the names differ)",
                       [&asof](std::string_view text) -> Result<> {
                         std::tie(asof.left_on, asof.right_on) = table::parse_column_pair(text);
                         return {};
                       });
        options.require("--on");
        options.parsed_list("--by", "COLUMN", "columns that must be equal (LEFT=RIGHT if the names differ)",
                            [&asof](std::string_view text) -> Result<> {
                              asof.by.push_back(table::parse_column_pair(text));
                              return {};
                            });
        options.enumeration("--direction", asof.direction, table::kAsofDirections,
                            "row of RIGHT to match (default: backward, the last at or before)");
        options.parsed("--tolerance", "T",
                       "largest distance: a time (500ms), or a number in the column's unit",
                       [&asof](std::string_view text) { return take_tolerance(text, asof); });
        settings->read.declare(options);
        settings->write.declare(options);
        return [settings](Shell& shell) { return join(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
