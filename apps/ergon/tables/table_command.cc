#include "commands.h"
#include "tables/table_commands.h"

namespace ergon::app {

Command table_command() {
  return {
      .name = "table",
      .summary = "describe, convert, join, group and relate CSV files",
      .description =
          "Files are CSV (RFC 4180), plain or compressed (.gz, .xz, .zst); - is standard input. Errors name "
          "the file, the line and the column. docs/table.md has examples.",
      .children = {describe_command(), convert_command(), join_command(), group_command(), relate_command(),
                   split_command()},
  };
}

}  // namespace ergon::app
