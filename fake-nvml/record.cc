#include "record.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::fake_nvml {
namespace {

constexpr std::array<std::string_view, 13> kCommands{"advance",
                                                     "open_context",
                                                     "close_context",
                                                     "run",
                                                     "stop",
                                                     "lock_core",
                                                     "unlock_core",
                                                     "lock_memory",
                                                     "unlock_memory",
                                                     "application_clocks",
                                                     "reset_application_clocks",
                                                     "limit",
                                                     "persistence"};

constexpr std::size_t kNumbers = 6;  // besides the command

}  // namespace

std::string to_line(const Record& record) {
  std::string line =
      fmt::format("{} {} {} {} {} {} {}", kCommands[static_cast<std::size_t>(record.command)], record.time_ns,
                  record.gpu, record.owner.pid, record.owner.began, record.first, record.second);
  if (record.command == Command::run) {
    line += fmt::format(" {} {} {} {}", record.load.network, record.load.batch,
                        device::name_of(record.load.precision), name_of(record.load.mode));
  }
  return line + '\n';
}

Result<Record> parse_line(std::string_view line) {
  const Error wrong = fail(Errc::invalid_input, "\"{}\" is not a record", printable(line));
  const auto words = split(line, ' ');
  Record record;
  std::size_t command = 0;
  while (command < kCommands.size() && kCommands[command] != words[0]) ++command;
  if (command == kCommands.size()) return wrong;
  record.command = static_cast<Command>(command);
  const bool runs = record.command == Command::run;
  if (words.size() != 1 + kNumbers + (runs ? 4 : 0)) return wrong;

  std::array<std::int64_t, kNumbers> numbers{};
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const auto number = parse_int64(words[1 + i]);
    if (!number) return wrong;
    numbers[i] = *number;
  }
  if (numbers[0] < 0 || numbers[1] < 0) return wrong;
  record.time_ns = numbers[0];
  record.gpu = static_cast<std::size_t>(numbers[1]);
  record.owner = {numbers[2], numbers[3]};
  record.first = numbers[4];
  record.second = numbers[5];
  if (runs) {
    const auto batch = parse_int64(words[8]);
    const auto precision = parse_precision(words[9]);
    const auto mode = parse_mode(words[10]);
    if (!batch || !precision || !mode) return wrong;
    record.load = {std::string(words[7]), *batch, *precision, *mode};
  }
  return record;
}

}  // namespace ergon::fake_nvml
