#include "owner.h"

#include <optional>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::fake_nvml {
namespace {

struct Stat {
  std::string name;
  char state = '?';
  std::int64_t began = 0;
};

// proc(5), /proc/pid/stat: the name is in parentheses and may contain any character. After it come the state
// (field 3) and the start time (field 22).
std::optional<Stat> stat_of(std::int64_t pid) {
  const auto text = read_file(fmt::format("/proc/{}/stat", pid));
  if (!text) return std::nullopt;
  const auto open = text->find('('), close = text->rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  const auto fields = split(std::string_view(*text).substr(close + 1), ' ');
  constexpr std::size_t kState = 1, kBegan = 20;
  if (fields.size() <= kBegan || fields[kState].empty()) return std::nullopt;
  const auto began = parse_int64(fields[kBegan]);
  if (!began) return std::nullopt;
  return Stat{text->substr(open + 1, close - open - 1), fields[kState][0], *began};
}

}  // namespace

Owner this_process() {
  const auto stat = stat_of(getpid());
  return {getpid(), stat ? stat->began : 0};
}

bool is_alive(const Owner& owner) {
  const auto stat = stat_of(owner.pid);
  return stat && stat->state != 'Z' && stat->state != 'X' && stat->began == owner.began;
}

Result<std::string> program_of(std::int64_t pid) {
  const auto stat = stat_of(pid);
  if (!stat) return fail(Errc::not_found, "no process {}", pid);
  const auto line = read_file(fmt::format("/proc/{}/cmdline", pid));
  if (!line || line->empty()) return stat->name;
  return line->substr(0, line->find('\0'));
}

}  // namespace ergon::fake_nvml
