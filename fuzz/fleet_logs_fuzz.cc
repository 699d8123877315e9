#include <cmath>

#include "base/contract.h"
#include "fleet/reading/checkpoint_reader.h"
#include "fleet/reading/columns.h"
#include "fleet/reading/sample_reader.h"
#include "fuzz/lines_mutator.h"
#include "table/csv/header.h"

using namespace ergon;

namespace {

constexpr std::string_view kWords[] = {"timestamp",
                                       "hostname",
                                       "eventName",
                                       "eventType",
                                       "jobId",
                                       "taskId",
                                       "simulated",
                                       "uuid",
                                       "serial",
                                       "index",
                                       "power.draw [W]",
                                       "temperature.gpu",
                                       "utilization.gpu [%]",
                                       "utilization.memory [%]",
                                       "START",
                                       "STOP",
                                       "begin",
                                       "end",
                                       "true",
                                       "2018-11-08T07:41:30.957Z",
                                       "2018/11/08 07:41:31.055",
                                       "1541662891.055",
                                       "1541662891055",
                                       "-62135596800",
                                       "75.31 W",
                                       "45 %",
                                       "[N/A]",
                                       "GPU-a",
                                       "h"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

// Every line of a log is either a row or counted as skipped, and accepted values are finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto header = table::csv::read_header(text, {});
  if (!header) return 0;
  const std::string_view body = text.substr(header->body);
  fleet::NameTables names;
  const fleet::TaskLevels levels;
  if (const auto columns = fleet::find_columns(fleet::checkpoint_roles(), header->names, {})) {
    std::vector<fleet::Checkpoint> rows;
    fleet::RowCounts counts;
    fleet::CheckpointReader(names, levels, 0).read(text, body, *columns, rows, counts);
    ERGON_EXPECTS(rows.size() + counts.malformed + counts.bad_time + counts.bad_type + counts.nameless +
                      counts.cut_off ==
                  counts.rows);
    for (const fleet::Checkpoint& row : rows) {
      ERGON_EXPECTS(row.host < names.hosts.size());
      ERGON_EXPECTS(fleet::name_at(text, row.task_offset).size() <= text.size());
    }
  }
  if (const auto columns = fleet::find_columns(fleet::sample_roles(), header->names, {})) {
    std::vector<fleet::Sample> rows;
    fleet::RowCounts counts;
    fleet::SampleReader(names, 0).read(text, body, *columns, "host", rows, counts);
    ERGON_EXPECTS(rows.size() + counts.malformed + counts.bad_time + counts.nameless + counts.cut_off ==
                  counts.rows);
    for (const fleet::Sample& row : rows) {
      ERGON_EXPECTS(row.gpu < names.gpus.size());
      ERGON_EXPECTS(std::isnan(row.power_watts) || (row.power_watts >= 0 && row.power_watts <= 2000));
    }
  }
  return 0;
}
