#include "service/jobs/failure_reason.h"

#include <csignal>
#include <utility>

#include <fmt/format.h>

namespace ergon::service {
namespace {

std::string signal_text(int signal) {
  static constexpr std::pair<int, std::string_view> kTexts[] = {
      {SIGKILL, "SIGKILL, probably because the machine ran out of memory"},
      {SIGSEGV, "SIGSEGV (invalid memory access)"},
      {SIGBUS, "SIGBUS (invalid memory access, or a full disk)"},
      {SIGABRT, "SIGABRT (abort)"},
      {SIGILL, "SIGILL (invalid instruction for this processor)"},
      {SIGFPE, "SIGFPE (arithmetic error)"},
      {SIGINT, "SIGINT (interrupt)"},
      {SIGTERM, "SIGTERM (request to end)"},
      {SIGXFSZ, "SIGXFSZ (file size limit)"},
  };
  for (const auto& [number, text] : kTexts) {
    if (number == signal) return std::string(text);
  }
  return fmt::format("signal {}", signal);
}

}  // namespace

std::string failure_reason(int exit_code, std::optional<int> signal, std::string_view last_message) {
  if (signal) {
    const std::string killed = "killed by " + signal_text(*signal);
    return last_message.empty() ? killed : fmt::format("{}; last message: {}", killed, last_message);
  }
  if (!last_message.empty()) return std::string(last_message);
  return fmt::format("ended with exit code {} and without a message", exit_code);
}

}  // namespace ergon::service
