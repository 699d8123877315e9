#pragma once

#include <string_view>
#include <vector>

#include "fleet/reading/columns.h"
#include "fleet/reading/names.h"
#include "fleet/reading/row_counts.h"
#include "fleet/reading/task_levels.h"

namespace ergon::fleet {

// What all readers write into and look up from.
struct Vocabulary {
  Names hosts, events, jobs, levels;
  Gpus gpus;
};

// Lines of application events, read by one thread; it remembers the names it met.
class CheckpointReader {
 public:
  CheckpointReader(Vocabulary& words, const TaskLevels& levels, std::int64_t zone_ns)
      : words_(words), levels_(levels), zone_ns_(zone_ns) {}

  // Appends the rows of `piece`, a part of `text` that begins and ends with lines.
  void read(std::string_view text, std::string_view piece, std::span<const std::size_t> places,
            std::vector<Checkpoint>& rows, RowCounts& counts);

 private:
  Code known(NameCache& cache, Names& names, std::string_view name);

  Vocabulary& words_;
  const TaskLevels& levels_;
  std::int64_t zone_ns_;
  NameCache hosts_, events_, jobs_;
};

// The name that stands at a place, as far as it goes.
std::string_view name_at(std::string_view text, std::uint64_t place);

}  // namespace ergon::fleet
