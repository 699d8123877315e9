#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/timestamp.h"

namespace ergon::fake_nvml {

// What the processes of one world have in common: a file of lines, "world.log", that only grows, under a
// lock. Whoever has read the same lines and asks at the same moment knows the same.
//
// The first line says which world it is: "ergon-fake-nvml 1 BOOT SCENARIO MONOTONIC_NS WALL_NS", with the
// moments at which it began. Moments are taken under the lock from a clock that all processes share, so that
// no line is older than what anybody has already read. A process that is killed while it writes leaves a line
// without an end: readers pass over it, and the next writer cuts it off.
//
// Not for several threads at once.
class SharedLog {
 public:
  // What was added since the last time.
  struct News {
    bool another_world = false;  // nothing that was read before counts
    std::string lines;           // whole ones
    std::int64_t now_ns = 0;     // since the world began
  };

  // The lock for writing, until it is destroyed, and what was found under it.
  class Hold {
   public:
    Hold(Hold&& other) noexcept : news(std::move(other.news)), log_(std::exchange(other.log_, nullptr)) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold();

    // Contract: `lines` end with a newline.
    Result<> append(std::string_view lines);
    // Forgets everything: another world begins now.
    Result<> begin_anew();

    News news;

   private:
    friend class SharedLog;
    Hold(SharedLog& log, News found) : news(std::move(found)), log_(&log) {}

    SharedLog* log_;
  };

  // Makes folder and file where they are missing. The world that is found there goes on, unless it is of an
  // earlier boot or of another scenario, or it can be `forgotten` and nobody has looked at it for an hour:
  // then a new one begins.
  static Result<SharedLog> open(const std::filesystem::path& folder, std::uint64_t scenario, bool forgotten);

  SharedLog(SharedLog&& other) noexcept;
  SharedLog& operator=(SharedLog&&) = delete;
  ~SharedLog();

  // Errors: the file cannot be read, or somebody has begun a world of another scenario here.
  Result<News> read();
  Result<Hold> hold();

  const std::filesystem::path& path() const { return path_; }
  Timestamp began() const { return began_wall_; }  // by the machine's calendar

 private:
  SharedLog(std::filesystem::path path, std::uint64_t scenario, bool forgotten)
      : path_(std::move(path)), scenario_(scenario), forgotten_(forgotten) {}

  Result<> open_file();
  Result<> lock(int how);
  void unlock() const;
  Result<News> look(int how);
  Result<bool> find_world(int how);
  bool still_the_same() const;
  bool long_unseen() const;
  void leave_a_trace();
  Result<> write_header();
  Result<std::string> lines_since_last_time();

  std::filesystem::path path_;
  std::uint64_t scenario_;
  bool forgotten_;
  int fd_ = -1;
  std::string header_;     // of the world that was read last
  std::int64_t read_ = 0;  // bytes of it
  std::int64_t size_ = 0;  // of the file, under the lock
  std::int64_t began_ns_ = 0;
  Timestamp began_wall_;
  std::int64_t traced_ns_ = 0;  // when this process last said that it looks
};

}  // namespace ergon::fake_nvml
