#include "fleet/summary/summary_table.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::fleet {

std::string_view name_of(SummaryTable table) {
  constexpr std::array<std::string_view, 6> kNames = {"event", "level", "host", "gpu", "task", "time"};
  return kNames[static_cast<std::size_t>(table)];
}

Result<SummaryTable> parse_summary_table(std::string_view name) {
  std::vector<std::string> names;
  for (const SummaryTable table : kSummaryTables) {
    if (name_of(table) == name) return table;
    names.emplace_back(name_of(table));
  }
  return fail(Errc::invalid_input, "\"{}\" is not a table{}; expected {}", printable(name),
              suggestion(name, names), fmt::join(names, ", "));
}

}  // namespace ergon::fleet
