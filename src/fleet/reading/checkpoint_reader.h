#pragma once

#include <string_view>
#include <vector>

#include "fleet/reading/columns.h"
#include "fleet/reading/names.h"
#include "fleet/reading/row_counts.h"
#include "fleet/reading/task_levels.h"

namespace ergon::fleet {

// Names found so far, shared by all readers. Safe for several threads.
struct NameTables {
  NameTable hosts, events, jobs, levels;
  GpuTable gpus;
};

// Reads lines of application events. One reader per thread; it caches the codes of names.
class CheckpointReader {
 public:
  CheckpointReader(NameTables& names, const TaskLevels& levels, std::int64_t zone_ns)
      : names_(names), levels_(levels), zone_ns_(zone_ns) {}

  // Appends the rows of `piece`, a part of `text` that consists of whole lines. `columns` is from
  // find_columns().
  void read(std::string_view text, std::string_view piece, std::span<const std::size_t> columns,
            std::vector<Checkpoint>& rows, RowCounts& counts);

 private:
  Code code_of(NameCache& cache, NameTable& names, std::string_view name);

  NameTables& names_;
  const TaskLevels& levels_;
  std::int64_t zone_ns_;
  NameCache hosts_, events_, jobs_;
};

// The CSV field that starts at `offset` of `text`; empty for offset 0, where the header is.
std::string_view name_at(std::string_view text, std::uint64_t offset);

}  // namespace ergon::fleet
