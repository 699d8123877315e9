#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/statistics/two_groups.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

struct SplitSettings {
  std::string file;
  std::string column;
  ReadSettings read;
};

Json group_json(const statistics::Group& group) {
  return {{"weight", group.weight}, {"mean", group.mean}, {"standard_deviation", group.deviation}};
}

Result<int> split(const SplitSettings& settings, Shell& shell) {
  const auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  const auto column = read->table.number_column(settings.column);
  if (!column) return column.error().in(settings.file);
  const auto groups = statistics::split_in_two((*column)->numbers());
  if (!groups) {
    return fail(Errc::invalid_input, "{}: column \"{}\" has too few distinct values to split", settings.file,
                settings.column);
  }
  const bool two = groups->clear();
  Result<> printed;
  if (shell.json) {
    const Json body = {{"column", settings.column},
                       {"threshold", groups->threshold},
                       {"low", group_json(groups->low)},
                       {"high", group_json(groups->high)},
                       {"separation", groups->separation},
                       {"bic_advantage", groups->bic_advantage},
                       {"two_groups", two}};
    printed = shell.print_document("ergon.table.split/1", {settings.file}, body, is_simulated(read->table));
  } else {
    const auto line = [](std::string_view name, const statistics::Group& group) {
      return fmt::format("{}  {:5.1f} %  mean {}, standard deviation {}\n", name, group.weight * 100,
                         rounded_text(group.mean, 5), rounded_text(group.deviation, 3));
    };
    printed = shell.print_report(
        fmt::format("{}: {} at {}\n{}{}separation {:.2f} (above 2 is clear), BIC {} two groups by {:.1f}\n",
                    settings.column, two ? "two groups, split" : "no clear groups; the best split is",
                    rounded_text(groups->threshold, 5), line("low ", groups->low), line("high", groups->high),
                    groups->separation, groups->bic_advantage > 0 ? "favors" : "rejects",
                    std::abs(groups->bic_advantage)));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command split_command() {
  return {
      .name = "split",
      .summary = "split a column into two groups, such as idle and busy power",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<SplitSettings>();
        options.argument("FILE", settings->file, "CSV file, or - for standard input");
        options.argument("COLUMN", settings->column, "numeric column");
        settings->read.declare(options);
        return [settings](Shell& shell) { return split(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
