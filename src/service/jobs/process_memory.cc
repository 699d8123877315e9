#include "service/jobs/process_memory.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;

constexpr Seconds kSearchPeriod{1};

// The sum of fields such as "RssAnon:     132 kB" of a file in /proc. Absent if the file cannot be read.
std::optional<Bytes> sum_of_fields(const fs::path& file, std::initializer_list<std::string_view> names) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  Bytes sum;
  for (const std::string_view line : split(*text, '\n')) {
    for (const std::string_view name : names) {
      if (!line.starts_with(name)) continue;
      std::string_view amount = trim(line.substr(name.size()));
      if (amount.ends_with(" kB")) amount.remove_suffix(3);
      sum += Bytes{1024.0 * static_cast<double>(parse_int64(amount).value_or(0))};
    }
  }
  return sum;
}

Bytes resident(const fs::path& process) {
  return sum_of_fields(process / "status", {"RssAnon:", "RssShmem:", "VmSwap:"}).value_or(Bytes{});
}

// "123 (name) S 1 456 ...": the group is the third field after the name, which may contain anything.
std::optional<std::int64_t> group_of(const fs::path& process) {
  const auto text = read_file(process / "stat");
  if (!text) return std::nullopt;
  const auto name_end = text->rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(std::string_view(*text).substr(name_end + 2), ' ');
  return fields.size() < 3 ? std::nullopt : parse_int64(fields[2]);
}

std::vector<int> members_of(int group, const fs::path& proc) {
  std::vector<int> members;
  std::error_code error;
  for (fs::directory_iterator each(proc, error), end; !error && each != end; each.increment(error)) {
    const auto pid = parse_int64(each->path().filename().string());
    if (pid && group_of(each->path()) == group) members.push_back(static_cast<int>(*pid));
  }
  return members;
}

}  // namespace

GroupMemory::GroupMemory(int group, fs::path proc) : group_(group), proc_(std::move(proc)), members_{group} {}

// Reading all processes of a large machine takes milliseconds, so new members are searched rarely.
Bytes GroupMemory::upper_bound(Instant now) {
  if (!searched_ || now - *searched_ >= kSearchPeriod) {
    members_ = members_of(group_, proc_);
    searched_ = now;
  }
  Bytes sum;
  for (const int pid : members_) sum += resident(proc_ / std::to_string(pid));
  return sum;
}

Bytes GroupMemory::proportional() const {
  Bytes sum;
  for (const int pid : members_) {
    const fs::path process = proc_ / std::to_string(pid);
    const auto shared = sum_of_fields(process / "smaps_rollup", {"Pss_Anon:", "Pss_Shmem:", "SwapPss:"});
    sum += shared && *shared > Bytes{} ? *shared : resident(process);
  }
  return sum;
}

}  // namespace ergon::service
