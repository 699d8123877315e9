#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/timestamp.h"

namespace ergon::fake_nvml {

// The shared state of the processes of one simulation: an append-only file of lines, "world.log", protected
// by a lock. Processes that have read the same lines compute the same state for the same time.
//
// The first line identifies the simulation: "ergon-fake-nvml 1 BOOT SCENARIO MONOTONIC_NS WALL_NS", with its
// start times. Times are read under the lock from CLOCK_MONOTONIC, which all processes share, so that no line
// is older than lines that were already read. A process that is killed while writing leaves an incomplete
// line; readers ignore it and the next writer truncates it.
//
// Not thread-safe.
class SharedLog {
 public:
  // New content since the previous read.
  struct LogUpdate {
    bool restarted = false;   // everything read before is invalid
    std::string lines;        // complete lines
    std::int64_t now_ns = 0;  // since the simulation started
  };

  // Holds the write lock until destroyed; `update` is the new content at that time.
  class WriteLock {
   public:
    WriteLock(WriteLock&& other) noexcept
        : update(std::move(other.update)), log_(std::exchange(other.log_, nullptr)) {}
    WriteLock& operator=(WriteLock&&) = delete;
    ~WriteLock();

    // Contract: `lines` end with a newline.
    Result<> append(std::string_view lines);
    // Starts a new simulation.
    Result<> restart();

    LogUpdate update;

   private:
    friend class SharedLog;
    WriteLock(SharedLog& log, LogUpdate found) : update(std::move(found)), log_(&log) {}

    SharedLog* log_;
  };

  // Creates folder and file if missing. Continues the existing simulation, unless it belongs to an earlier
  // boot or another scenario, or `expires` is set and no process has read it for an hour; then starts a new
  // one.
  static Result<SharedLog> open(const std::filesystem::path& folder, std::uint64_t scenario, bool expires);

  SharedLog(SharedLog&& other) noexcept;
  SharedLog& operator=(SharedLog&&) = delete;
  ~SharedLog();

  // Errors: the file cannot be read, or another process has started another scenario in this folder.
  Result<LogUpdate> read();
  Result<WriteLock> lock_for_writing();

  const std::filesystem::path& path() const { return path_; }
  Timestamp began() const { return began_wall_; }  // wall clock

 private:
  SharedLog(std::filesystem::path path, std::uint64_t scenario, bool expires)
      : path_(std::move(path)), scenario_(scenario), expires_(expires) {}

  Result<> open_file();
  Result<> lock(int how);
  void unlock() const;
  Result<LogUpdate> refresh(int how);
  Result<bool> find_header(int how);
  bool is_unchanged() const;
  bool is_expired() const;
  void touch();
  Result<> write_header();
  Result<std::string> new_lines();

  std::filesystem::path path_;
  std::uint64_t scenario_;
  bool expires_;
  int fd_ = -1;
  std::string header_;     // first line of the current simulation
  std::int64_t read_ = 0;  // bytes read so far
  std::int64_t size_ = 0;  // file size, valid under the lock
  std::int64_t began_ns_ = 0;
  Timestamp began_wall_;
  std::int64_t traced_ns_ = 0;  // when this process last updated the file time
};

}  // namespace ergon::fake_nvml
