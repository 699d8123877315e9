#include "streams.h"

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

StandardStreams::StandardStreams() : colour_(terminal_with_colour(STDOUT_FILENO)) {}

Result<> StandardStreams::out(std::string_view text) {
  errno = 0;
  if (!failure_ && std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    failure_ = output_error(errno);
  return failure_ ? Result<>{*failure_} : Result<>{};
}

Result<> StandardStreams::flush() {
  errno = 0;
  if (!failure_ && std::fflush(stdout) != 0) failure_ = output_error(errno);
  return failure_ ? Result<>{*failure_} : Result<>{};
}

void StandardStreams::err(std::string_view text) { fmt::print(stderr, "{}", text); }

ProgressStyle StandardStreams::progress_style() const {
  const char* const wanted = std::getenv("ERGON_PROGRESS");
  if (wanted != nullptr && std::string_view(wanted) == "records") return ProgressStyle::records;
  return ::isatty(STDERR_FILENO) == 1 ? ProgressStyle::bar : ProgressStyle::lines;
}

int StandardStreams::columns() const {
  winsize window{};
  const bool sized = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return sized ? window.ws_col : 80;
}

Result<> CapturedStreams::out(std::string_view text) {
  data_ += text;
  return {};
}

}  // namespace ergon::app
