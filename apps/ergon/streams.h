#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace ergon::app {

// Exit code when the reader of standard output closed it: 128 + SIGPIPE, as a shell reports coreutils and git
// in that case.
inline constexpr int kExitOutputClosed = 141;

// Output of a command: data on one stream, messages and progress on the other.
class Streams {
 public:
  virtual ~Streams() = default;

  // Data, buffered. Fails if it cannot be written, for example because the disk is full.
  virtual Result<> out(std::string_view text) = 0;
  virtual Result<> flush() = 0;
  // After the last data: flushes, and returns the failure that the file system reports when a file is closed.
  virtual Result<> finish() = 0;
  // Whether the reader of data closed it, as `head` does.
  virtual bool reader_closed() const = 0;
  // A message. It is discarded if it cannot be written: a command does not fail because of its messages.
  virtual void err(std::string_view text) noexcept = 0;

  virtual bool color() const = 0;           // whether data may have escape sequences
  virtual std::size_t columns() const = 0;  // width of data
  // Width of messages: the terminal's, or 100 columns. Absent if a program reads them, one per line.
  virtual std::optional<std::size_t> message_columns() const = 0;
  virtual ProgressStyle progress_style() const = 0;
};

// Standard output and standard error, written with write(2).
//
// Output: less than 4 KiB is buffered, none on a terminal. After the first failure, all later data is
// discarded. Messages: after the first failure (closed, full disk, no room in a non-blocking pipe for a
// second), all later messages are discarded. An interrupted write discards the rest of its message only.
// SIGPIPE and SIGXFSZ must be ignored. Thread-safe.
//
// Width: the environment variable COLUMNS if it is a positive number, otherwise that of the terminal, or 80.
// ERGON_PROGRESS=records makes progress machine-readable.
class StandardStreams final : public Streams {
 public:
  StandardStreams();

  Result<> out(std::string_view text) override;
  Result<> flush() override;
  Result<> finish() override;
  bool reader_closed() const override { return reader_closed_; }
  void err(std::string_view text) noexcept override;
  bool color() const override { return color_; }
  std::size_t columns() const override;
  std::optional<std::size_t> message_columns() const override;
  ProgressStyle progress_style() const override;

 private:
  // These need the lock.
  Result<> write(std::string_view text);
  Result<> write_buffer();
  Result<> failed(int errno_value);

  bool color_, terminal_;
  std::atomic<bool> reader_closed_ = false, messages_failed_ = false;
  std::mutex mutex_;  // guards the members below
  std::string buffer_;
  bool written_ = false;          // any data
  std::optional<Error> failure_;  // the first one
};

// Output in memory, for commands that run inside another program.
class CapturedStreams final : public Streams {
 public:
  Result<> out(std::string_view text) override;
  Result<> flush() override { return {}; }
  Result<> finish() override { return {}; }
  bool reader_closed() const override { return false; }
  void err(std::string_view text) noexcept override;
  bool color() const override { return false; }
  std::size_t columns() const override { return 80; }
  std::optional<std::size_t> message_columns() const override { return std::nullopt; }
  ProgressStyle progress_style() const override { return ProgressStyle::silent; }

  std::string& data() { return data_; }
  const std::string& messages() const { return messages_; }

 private:
  std::string data_, messages_;
};

}  // namespace ergon::app
