#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "table/group_by.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

struct GroupSettings {
  std::string file;
  std::vector<std::string> by;
  std::vector<table::Aggregation> aggregations;
  ReadSettings read;
  WriteSettings write;
};

Result<> take_aggregations(std::string_view text, GroupSettings& settings) {
  for (const std::string_view part : split(text, ',')) {
    auto parsed = table::parse_aggregation(part);
    if (!parsed) return parsed.error();
    settings.aggregations.push_back(std::move(*parsed));
  }
  return {};
}

Result<int> group(const GroupSettings& settings, Shell& shell) {
  std::vector<table::Aggregation> aggregations = settings.aggregations;
  if (aggregations.empty()) aggregations.push_back({table::Aggregate::count, "", "count"});
  const auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  const auto grouped = table::group_by(read->table, settings.by, aggregations);
  if (!grouped) return grouped.error().in(settings.file);
  return settings.write.write(
      *grouped, "ergon.table.group/1", {{settings.file}, is_simulated(read->table)},
      {{"rows", read->table.rows()}, {"groups", grouped->rows()}},
      fmt::format("{} in {}", counted(read->table.rows(), "row"), counted(grouped->rows(), "group")), shell);
}

}  // namespace

Command group_command() {
  return {
      .name = "group",
      .summary = "aggregate the rows that share a key",
      .description = "Aggregates: count, sum, mean, min, max, deviation, median, first, last, distinct.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<GroupSettings>();
        options.argument("FILE", settings->file, "CSV file, or - for standard input");
        options.list("--by", settings->by, "A,B,...", "key columns (default: all rows are one group)");
        options.parsed("--aggregate", "WHAT:COLUMN,...",
                       "aggregates, for example count,mean:power (default: count)",
                       [settings](std::string_view text) { return take_aggregations(text, *settings); });
        settings->read.declare(options);
        settings->write.declare(options);
        return [settings](Shell& shell) { return group(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
