#include "meter/kinship.h"

#include <optional>
#include <string>

#include "base/file.h"
#include "base/text.h"

namespace ergon::meter {
namespace {

constexpr int kGenerations = 1000;  // more than there are; a table that changes while it is read has an end

// By /proc/PID/stat, whose second field is a name in parentheses and may hold anything.
std::optional<std::int64_t> parent_of(std::int64_t pid, const std::filesystem::path& proc) {
  const auto stat = read_file(proc / std::to_string(pid) / "stat");
  if (!stat) return std::nullopt;
  const auto name_end = stat->rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(trim(std::string_view(*stat).substr(name_end + 1)), ' ');
  return fields.size() > 1 ? parse_int64(fields[1]) : std::nullopt;
}

}  // namespace

Kinship kinship(std::int64_t pid, std::int64_t ancestor, const std::filesystem::path& proc) {
  for (int generation = 0; generation < kGenerations; ++generation) {
    if (pid == ancestor) return Kinship::own;
    const auto parent = parent_of(pid, proc);
    if (!parent) return generation == 0 ? Kinship::gone : Kinship::stranger;
    if (*parent <= 0) break;
    pid = *parent;
  }
  return Kinship::stranger;
}

}  // namespace ergon::meter
