#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace ergon::fleet {

// A table of a fleet's summary, by what its rows are.
enum class SummaryTable : std::uint8_t { event, level, host, gpu, task, time };
inline constexpr SummaryTable kSummaryTables[] = {SummaryTable::event, SummaryTable::level,
                                                  SummaryTable::host,  SummaryTable::gpu,
                                                  SummaryTable::task,  SummaryTable::time};
std::string_view name_of(SummaryTable table);
// Errors: invalid_input with the nearest name.
Result<SummaryTable> parse_summary_table(std::string_view name);

}  // namespace ergon::fleet
