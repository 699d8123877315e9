#include "service/jobs/job_limits.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;

// A limit of a control group; absent if the file does not exist or has "max".
std::optional<Bytes> limit_in(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  const auto limit = parse_int64(trim(*text));
  return limit && *limit > 0 ? std::optional(bytes(static_cast<std::uint64_t>(*limit))) : std::nullopt;
}

// The group of this process in version 2 of control groups, for example "/system.slice/ergon.service".
std::string control_group(const fs::path& root) {
  const std::string text = read_file(root / "proc/self/cgroup").value_or("");
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("0::/")) return std::string(line.substr(3));
  }
  return "/";
}

}  // namespace

// A limit of a group holds for the groups below it.
Bytes usable_memory(const fs::path& root) {
  Bytes least{static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE))};
  const auto limit = [&least](const fs::path& file) {
    if (const auto found = limit_in(file)) least = std::min(least, *found);
  };
  const fs::path groups = root / "sys/fs/cgroup";
  limit(groups / "memory/memory.limit_in_bytes");  // version 1
  fs::path group = control_group(root);
  for (; group != group.root_path(); group = group.parent_path())
    limit(groups / group.relative_path() / "memory.max");
  limit(groups / "memory.max");
  return least;
}

}  // namespace ergon::service
