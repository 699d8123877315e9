#include "fleet/reading/checkpoint_reader.h"

#include <algorithm>

#include "base/text.h"
#include "fleet/reading/name_hash.h"
#include "fleet/reading/rows.h"
#include "fleet/reading/values.h"

namespace ergon::fleet {
namespace {

enum class EventEdge : std::uint8_t { start, stop, neither };

EventEdge event_edge(std::string_view type) {
  if (type == "START") return EventEdge::start;
  if (type == "STOP") return EventEdge::stop;
  const std::string small = lower(type);
  for (const std::string_view word : {"start", "begin", "started", "b"}) {
    if (small == word) return EventEdge::start;
  }
  for (const std::string_view word : {"stop", "end", "stopped", "finished", "e"}) {
    if (small == word) return EventEdge::stop;
  }
  return EventEdge::neither;
}

// Offset of `name` in `text`; 0, where no name is, if the name was unescaped and is not part of the text.
std::uint64_t offset_in(std::string_view text, std::string_view name) {
  const auto begin = reinterpret_cast<std::uintptr_t>(text.data());
  const auto at = reinterpret_cast<std::uintptr_t>(name.data());
  return at >= begin && at < begin + text.size() ? at - begin : 0;
}

}  // namespace

Code CheckpointReader::code_of(NameCache& cache, NameTable& names, std::string_view name) {
  const std::uint64_t hash = name_hash(name);
  NameCache::Entry& entry = cache.find(name, hash);
  if (entry.code != kNoCode) return entry.code;
  const Code code = names.code_of(name);
  entry = {hash, names.as_given(code), {}, code};
  cache.filled();
  return code;
}

void CheckpointReader::read(std::string_view text, std::string_view piece,
                            std::span<const std::size_t> columns, std::vector<Checkpoint>& rows,
                            RowCounts& counts) {
  const auto column_of = [&](CheckpointRole role) { return columns[static_cast<std::size_t>(role)]; };
  const std::size_t time = column_of(CheckpointRole::time), host = column_of(CheckpointRole::host),
                    event = column_of(CheckpointRole::event), type = column_of(CheckpointRole::type),
                    job = column_of(CheckpointRole::job), task = column_of(CheckpointRole::task),
                    simulated = column_of(CheckpointRole::simulated);
  const auto needed = [](std::size_t column) { return column == kAbsent ? 0 : column + 1; };
  // Rows without the mark, of an older version below a newer header, are read.
  const std::size_t min_fields =
      std::max({time + 1, host + 1, event + 1, type + 1, needed(job), needed(task)});

  TimestampReader timestamps(zone_ns_);
  rows.reserve(rows.size() + piece.size() / 150);
  walk_rows(piece, [&](LogRow& row) {
    ++counts.rows;
    const bool unmarked = simulated != kAbsent && simulated >= row.size();
    if (row.size() < min_fields || (unmarked && unfinished(row, text)))
      return ++(unfinished(row, text) ? counts.cut_off : counts.malformed), false;
    const auto time_text = row[time], host_name = row[host], event_name = row[event], type_text = row[type];
    const bool whole = (job == kAbsent || row[job]) && (task == kAbsent || row[task]);
    if (!whole || !time_text || !host_name || !event_name || !type_text)
      return ++(unfinished(row, text) ? counts.cut_off : counts.malformed), false;
    Checkpoint checkpoint;
    const auto at = timestamps.read(*time_text);
    const EventEdge edge = event_edge(*type_text);
    if (!at) return ++counts.bad_time, true;
    if (edge == EventEdge::neither) return ++counts.bad_type, true;
    if (host_name->empty() || event_name->empty()) return ++counts.nameless, true;
    checkpoint.at = *at;
    checkpoint.start = edge == EventEdge::start;
    checkpoint.host = code_of(hosts_, names_.hosts, *host_name);
    checkpoint.event = static_cast<std::uint16_t>(code_of(events_, names_.events, *event_name));
    std::uint64_t job_hash = 0;
    if (job != kAbsent) {
      const std::string_view job_name = row[job].value_or("");
      job_hash = name_hash(job_name);
      checkpoint.task = job_hash;  // without a task column, a job is one task
      checkpoint.task_offset = offset_in(text, job_name);
      code_of(jobs_, names_.jobs, job_name);
    }
    if (task != kAbsent) {
      const std::string_view task_name = row[task].value_or("");
      checkpoint.task = name_hash(task_name, job_hash);
      checkpoint.task_offset = offset_in(text, task_name);
      if (!levels_.empty())
        checkpoint.level =
            levels_.of(levels_.by_job() || job_hash == 0 ? checkpoint.task : name_hash(task_name));
    }
    if (simulated < row.size() && is_simulated_mark(row[simulated].value_or(""))) ++counts.simulated;
    rows.push_back(checkpoint);
    return true;
  });
  counts.without_zone += timestamps.without_zone();
}

std::string_view name_at(std::string_view text, std::uint64_t offset) {
  if (offset == 0) return {};
  const std::size_t begin = std::min<std::size_t>(offset, text.size());
  const bool quoted = begin > 0 && text[begin - 1] == '"';
  const std::string_view rest = text.substr(begin);
  return rest.substr(0, rest.find_first_of(quoted ? std::string_view("\"") : std::string_view(",\r\n")));
}

}  // namespace ergon::fleet
