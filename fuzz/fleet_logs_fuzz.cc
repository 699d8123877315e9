#include <cmath>

#include "base/contract.h"
#include "fleet/reading/checkpoint_reader.h"
#include "fleet/reading/columns.h"
#include "fleet/reading/sample_reader.h"
#include "table/csv/header.h"

using namespace ergon;

// Whatever stands in a log, every line is either a row or counted, and what is believed is finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto header = table::csv::read_header(text, {});
  if (!header) return 0;
  const std::string_view body = text.substr(header->body);
  fleet::Vocabulary words;
  const fleet::TaskLevels levels;
  if (const auto places = fleet::find_columns(fleet::checkpoint_roles(), header->names, {})) {
    std::vector<fleet::Checkpoint> rows;
    fleet::RowCounts counts;
    fleet::CheckpointReader(words, levels, 0).read(text, body, *places, rows, counts);
    ERGON_EXPECTS(rows.size() + counts.malformed + counts.bad_time + counts.bad_type + counts.nameless +
                      counts.cut_off ==
                  counts.rows);
    for (const fleet::Checkpoint& row : rows) {
      ERGON_EXPECTS(row.host < words.hosts.size());
      ERGON_EXPECTS(fleet::name_at(text, row.place).size() <= text.size());
    }
  }
  if (const auto places = fleet::find_columns(fleet::sample_roles(), header->names, {})) {
    std::vector<fleet::Sample> rows;
    fleet::RowCounts counts;
    fleet::SampleReader(words, 0).read(text, body, *places, "host", rows, counts);
    ERGON_EXPECTS(rows.size() + counts.malformed + counts.bad_time + counts.nameless + counts.cut_off ==
                  counts.rows);
    for (const fleet::Sample& row : rows) {
      ERGON_EXPECTS(row.gpu < words.gpus.size());
      ERGON_EXPECTS(std::isnan(row.power_watts) || (row.power_watts >= 0 && row.power_watts <= 2000));
    }
  }
  return 0;
}
