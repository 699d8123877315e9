#include <nlohmann/json.hpp>

#include "base/text.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

struct ConvertSettings {
  std::string file;
  std::vector<std::string> columns;
  ReadSettings read;
  WriteSettings write;
};

Result<int> convert(const ConvertSettings& settings, Shell& shell) {
  auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  table::Table table = std::move(read->table);
  const bool simulated = is_simulated(table);
  if (!settings.columns.empty()) {
    auto selected = table.select(settings.columns);
    if (!selected) return selected.error().in(settings.file);
    table = std::move(*selected);
  }
  return settings.write.write(table, "ergon.table.convert/1", {{settings.file}, simulated},
                              {{"rows", table.rows()}}, counted(table.rows(), "row"), shell);
}

}  // namespace

Command convert_command() {
  return {
      .name = "convert",
      .summary = "check a file and write it as plain comma-separated CSV",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ConvertSettings>();
        options.argument("FILE", settings->file, "CSV file, or - for standard input");
        options.list("--columns", settings->columns, "A,B,...",
                     "columns to write, in this order (default: all)");
        settings->read.declare(options);
        settings->write.declare(options);
        return [settings](Shell& shell) { return convert(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
