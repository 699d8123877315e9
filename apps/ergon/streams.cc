#include "streams.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::app {
namespace {

constexpr std::size_t kReportColumns = 80, kMessageColumns = 100;  // if not a terminal
constexpr std::int64_t kMaxColumns = 100'000;

bool is_color_terminal(int fd) {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  const bool disabled = no_color != nullptr && *no_color != '\0';
  return ::isatty(fd) == 1 && !disabled && term != nullptr && std::string_view(term) != "dumb";
}

// Columns of the terminal, or the default if `fd` is not one. The variable COLUMNS takes precedence.
std::size_t columns_of(int fd, std::size_t default_columns) {
  const char* const variable = std::getenv("COLUMNS");
  const auto requested = variable == nullptr ? std::nullopt : parse_int64(variable);
  if (requested && *requested > 0) return static_cast<std::size_t>(std::min(*requested, kMaxColumns));
  winsize window{};
  const bool is_terminal = ::ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return is_terminal ? window.ws_col : default_columns;
}

}  // namespace

StandardStreams::StandardStreams() : color_(is_color_terminal(STDOUT_FILENO)) {}

// A reader that closes the pipe requests a stop: no failure, no message, and an exit code of its own
// (kExitOutputClosed).
Error StandardStreams::output_error(int errno_value) {
  reader_closed_ = errno_value == EPIPE;
  if (reader_closed_) return fail(Errc::cancelled, "");
  return errno_error(errno_value).in("standard output");
}

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

std::size_t StandardStreams::columns() const { return columns_of(STDOUT_FILENO, kReportColumns); }

std::optional<std::size_t> StandardStreams::message_columns() const {
  if (progress_style() == ProgressStyle::records)
    return std::nullopt;  // a program reads one message per line
  return columns_of(STDERR_FILENO, kMessageColumns);
}

ProgressStyle StandardStreams::progress_style() const {
  const char* const style = std::getenv("ERGON_PROGRESS");
  if (style != nullptr && std::string_view(style) == "records") return ProgressStyle::records;
  return ::isatty(STDERR_FILENO) == 1 ? ProgressStyle::bar : ProgressStyle::lines;
}

Result<> CapturedStreams::out(std::string_view text) {
  data_ += text;
  return {};
}

}  // namespace ergon::app
