#include "shell.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file.h"

namespace ergon::app {
namespace {

bool terminal_with_colour(int fd) {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return ::isatty(fd) == 1 && !refused && term != nullptr && std::string_view(term) != "dumb";
}

Error output_error(int errno_value) {
  // The reader of a pipe went away, as `head` does: that is a wish to stop, not a failure.
  if (errno_value == EPIPE) return fail(Errc::cancelled, "");
  return errno_error(errno_value).in("standard output");
}

}  // namespace

Shell::Shell(std::vector<std::string> command_line, Clock& clock, std::stop_token stop)
    : command_line_(std::move(command_line)),
      clock_(clock),
      stop_(std::move(stop)),
      colour_(terminal_with_colour(STDOUT_FILENO)) {}

Result<> Shell::print(std::string_view text) {
  errno = 0;
  if (!output_failure_ && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    output_failure_ = output_error(errno);
  }
  return output_failure_ ? Result<>{*output_failure_} : Result<>{};
}

Result<> Shell::flush() {
  errno = 0;
  if (!output_failure_ && std::fflush(stdout) != 0) output_failure_ = output_error(errno);
  return output_failure_ ? Result<>{*output_failure_} : Result<>{};
}

Result<> Shell::print_document(std::string_view schema, std::vector<std::string> inputs,
                               const nlohmann::ordered_json& body, bool simulated) {
  return print(document(schema, std::move(inputs), body, simulated));
}

std::string Shell::document(std::string_view schema, std::vector<std::string> inputs,
                            const nlohmann::ordered_json& body, bool simulated) const {
  return report::document(schema,
                          {.command = command_line_,
                           .created = clock_.wall_now(),
                           .inputs = std::move(inputs),
                           .simulated = simulated},
                          body);
}

void Shell::note(std::string_view message) {
  if (quiet) return;
  // On a terminal the remark comes behind what it speaks of; where that was lost there is nothing to remark.
  if (const auto flushed = flush(); flushed) fmt::print(stderr, "{}\n", message);
}

void Shell::error(std::string_view message) { fmt::print(stderr, "ergon: {}\n", message); }

std::unique_ptr<Progress> Shell::progress(Progress::Work work) const {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const ProgressStyle style = quiet      ? ProgressStyle::silent
                              : terminal ? ProgressStyle::bar
                                         : ProgressStyle::lines;
  winsize window{};
  const bool sized = terminal && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  const auto sink = [](std::string_view text) { fmt::print(stderr, "{}", text); };
  return std::make_unique<Progress>(style, std::move(work), clock_, sink, sized ? window.ws_col : 80);
}

}  // namespace ergon::app
