#include "streams.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::app {
namespace {

constexpr std::size_t kReportColumns = 80, kMessageColumns = 100;  // if not a terminal
constexpr std::int64_t kMaxColumns = 100'000;
constexpr std::size_t kBlock = 4096;  // as standard I/O writes to a pipe

// How long a write to a full non-blocking pipe waits.
constexpr int kUnlimited = -1, kMessageTimeout = 1000;  // ms

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

// Returns 0 after everything was written, otherwise the errno of the failure: EINTR after a signal, EAGAIN
// after the timeout.
int write_all(int fd, std::string_view text, int timeout_ms) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (written == 0) return EIO;
    if (errno != EAGAIN) return errno;
    pollfd room{fd, POLLOUT, 0};
    const int ready = ::poll(&room, 1, timeout_ms);
    if (ready <= 0) return ready == 0 ? EAGAIN : errno;
  }
  return 0;
}

// A reader that closes the pipe requests a stop: no failure, no message, and an exit code of its own
// (kExitOutputClosed).
Error output_error(int errno_value) {
  switch (errno_value) {
    case EPIPE:
      return fail(Errc::cancelled, "");
    case EINTR:
      return fail(Errc::cancelled, "interrupted while writing to standard output");
    case EBADF:
      return fail(Errc::io, "standard output is not open for writing");
    default:
      return errno_error(errno_value).in("standard output");
  }
}

}  // namespace

StandardStreams::StandardStreams()
    : color_(is_color_terminal(STDOUT_FILENO)), terminal_(::isatty(STDOUT_FILENO) == 1) {}

Result<> StandardStreams::failed(int errno_value) {
  reader_closed_ = errno_value == EPIPE;
  failure_ = output_error(errno_value);
  return *failure_;
}

Result<> StandardStreams::write(std::string_view text) {
  if (failure_) return *failure_;
  written_ = written_ || !text.empty();
  const int error = write_all(STDOUT_FILENO, text, kUnlimited);
  return error == 0 ? Result<>{} : failed(error);
}

Result<> StandardStreams::write_buffer() {
  auto written = write(buffer_);
  buffer_.clear();
  return written;
}

Result<> StandardStreams::out(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (buffer_.size() + text.size() >= kBlock) {
    if (auto written = write_buffer(); !written) return written;
    const std::size_t blocks = text.size() - text.size() % kBlock;
    if (auto written = write(text.substr(0, blocks)); !written) return written;
    text.remove_prefix(blocks);
  }
  buffer_ += text;
  return terminal_ || failure_ ? write_buffer() : Result<>{};
}

Result<> StandardStreams::flush() {
  const std::lock_guard lock(mutex_);
  return write_buffer();
}

// NFS, for example, may report a full disk only when a file is closed. Closing a second descriptor suffices,
// so that no file opened later becomes standard output.
Result<> StandardStreams::finish() {
  const std::lock_guard lock(mutex_);
  if (auto written = write_buffer(); !written || !written_) return written;
  const int second = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  return second < 0 || ::close(second) == 0 ? Result<>{} : failed(errno);
}

void StandardStreams::err(std::string_view text) noexcept {
  if (messages_failed_) return;
  const int error = write_all(STDERR_FILENO, text, kMessageTimeout);
  messages_failed_ = error != 0 && error != EINTR;
}

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

void CapturedStreams::err(std::string_view text) noexcept {
  try {
    messages_ += text;
  } catch (const std::bad_alloc&) {  // discarded
  }
}

}  // namespace ergon::app
