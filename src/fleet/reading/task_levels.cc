#include "fleet/reading/task_levels.h"

#include <algorithm>

#include "base/text.h"
#include "fleet/reading/name_hash.h"
#include "fleet/reading/rows.h"
#include "table/csv/header.h"
#include "table/text_input.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kMaxLevels = 250;
constexpr std::size_t kChunkBytes = std::size_t{4} << 20;

}  // namespace

void TaskLevels::put(std::uint64_t task, std::uint8_t level) {
  if (used_ * 4 >= slots_.size() * 3) {
    std::vector<std::uint64_t> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    used_ = 0;
    for (const std::uint64_t slot : old) {
      if (slot != 0) put(slot, static_cast<std::uint8_t>(slot & kLevelBits));
    }
  }
  std::size_t i = slot_of(task);
  while (slots_[i] != 0 && ((slots_[i] ^ task) & ~kLevelBits) != 0) i = (i + 1) & (slots_.size() - 1);
  used_ += slots_[i] == 0 ? 1 : 0;
  slots_[i] = (task & ~kLevelBits) | level;
}

Result<TaskLevels> TaskLevels::read(const std::filesystem::path& file, const ColumnMapping& mapping,
                                    NameTable& levels) {
  const auto input = table::TextInput::open(file);
  if (!input) return input.error();
  const auto header = table::csv::read_header(input->text(), {});
  if (!header) return header.error().in(file.string());
  const auto columns = find_columns(task_roles(), header->names, mapping, "--map-tasks");
  if (!columns) return columns.error().in(file.string());
  const std::size_t task = (*columns)[0], job = (*columns)[1], level = (*columns)[2];

  TaskLevels read;
  read.by_job_ = job != kAbsent;
  std::optional<Error> wrong;
  NameCache cache;
  const auto take = [&](LogRow& row) {
    const auto at = [&](std::size_t place) { return place < row.size() ? row[place] : std::nullopt; };
    const auto task_name = at(task);
    if (!task_name || wrong) return false;
    std::uint64_t hash = name_hash(*task_name);
    if (read.by_job_) {
      const auto job_name = at(job);
      if (!job_name) return false;
      hash = name_hash(*at(task), name_hash(*job_name));
    }
    const auto level_name = at(level);
    if (!level_name) return false;
    ++read.rows_;
    if (level_name->empty()) return true;
    const std::uint64_t level_hash = name_hash(*level_name);
    auto& known = cache.find(*level_name, level_hash);
    if (known.code == kNoCode) {
      const Code code = levels.code_of(*level_name);
      known = {level_hash, levels.as_given(code), {}, code};
      cache.filled();
      if (levels.size() > kMaxLevels)
        wrong = fail(Errc::invalid_input,
                     "{}: more than {} levels; --map-tasks level=COLUMN may name the wrong column",
                     file.string(), kMaxLevels);
    }
    read.put(hash, static_cast<std::uint8_t>(cache.find(*level_name, level_hash).code + 1));
    return true;
  };
  for (std::size_t begin = header->body; begin < input->text().size();) {
    const std::size_t line_end =
        input->text().find('\n', std::min(begin + kChunkBytes, input->text().size() - 1));
    const std::size_t end = line_end == std::string_view::npos ? input->text().size() : line_end + 1;
    walk_rows(input->text().substr(begin, end - begin), take);
    input->release(begin, end);
    begin = end;
  }
  if (wrong) return *wrong;
  if (read.rows_ == 0) return fail(Errc::invalid_input, "{}: no rows", file.string());
  return read;
}

}  // namespace ergon::fleet
