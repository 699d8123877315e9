#include "device/lease/lease_holder.h"

#include <algorithm>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"

namespace ergon::device {
namespace {

bool is_subcommand(std::string_view word) {
  return !word.empty() && word.size() <= 20 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string command_of_this_process() {
  const auto line = read_file("/proc/self/cmdline");
  if (!line || line->empty()) return "";
  const std::vector<std::string_view> words = split(*line, '\0');
  const std::string program = printable(words[0].substr(words[0].rfind('/') + 1));
  const bool subcommand = words.size() > 1 && is_subcommand(words[1]);
  return subcommand ? fmt::format("{} {}", program, words[1]) : program;
}

}  // namespace

LeaseHolder this_process() {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t now = SystemClock().wall_now().ns;
  return {::getpid(), command_of_this_process(), {now / kSecond * kSecond}};
}

std::string to_text(const LeaseHolder& holder) {
  return fmt::format("process {} ({}), since {}", holder.pid, printable(holder.command),
                     ergon::to_text(holder.since));
}

std::string to_text(const HeldBy& held) { return held.holder ? to_text(*held.holder) : "another process"; }

}  // namespace ergon::device
