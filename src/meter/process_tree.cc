#include "meter/process_tree.h"

#include <optional>
#include <string>

#include "base/file.h"
#include "base/text.h"

namespace ergon::meter {
namespace {

constexpr int kMaxGenerations = 1000;  // ends the loop if the process table changes while it is read

// From /proc/PID/stat. Its second field is the command name in parentheses, which may contain any character.
std::optional<std::int64_t> parent_of(std::int64_t pid, const std::filesystem::path& proc) {
  const auto stat = read_file(proc / std::to_string(pid) / "stat");
  if (!stat) return std::nullopt;
  const auto name_end = stat->rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(trim(std::string_view(*stat).substr(name_end + 1)), ' ');
  return fields.size() > 1 ? parse_int64(fields[1]) : std::nullopt;
}

}  // namespace

ProcessRelation process_relation(std::int64_t pid, std::int64_t ancestor, const std::filesystem::path& proc) {
  for (int generation = 0; generation < kMaxGenerations; ++generation) {
    if (pid == ancestor) return ProcessRelation::descendant;
    const auto parent = parent_of(pid, proc);
    if (!parent) return generation == 0 ? ProcessRelation::gone : ProcessRelation::unrelated;
    if (*parent <= 0) break;
    pid = *parent;
  }
  return ProcessRelation::unrelated;
}

}  // namespace ergon::meter
