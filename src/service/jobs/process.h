#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace ergon::service {

// A child process and its process group. It inherits no files or sockets. It gets SIGINT when the thread that
// started it ends, even after a crash, so that it restores the devices it has changed. It runs with a lower
// priority than this program (nice 10), writes no core file, and the kernel ends it first when memory runs
// out. Other users cannot read the files that it writes.
//
// Used from one thread, which must live as long as the process should.
class Process {
 public:
  // `words` starts with the program's path. Standard output overwrites `out`; standard error is appended to
  // `err`. No file of the process can become larger than `max_file` (SIGXFSZ). Errors: a file cannot be
  // opened; the program cannot be run.
  static Result<Process> start(const std::vector<std::string>& words, const std::filesystem::path& out,
                               const std::filesystem::path& err, std::optional<Bytes> max_file = {});

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();  // kills the process if it still runs

  // The exit code if the process has ended, or 128 plus the signal number.
  std::optional<int> ended();
  // The signal that ended the process, if one did.
  std::optional<int> signal() const { return signal_; }
  // Process group id.
  int group() const { return pid_; }
  // Sends SIGINT to the process group.
  void interrupt() const;
  void kill() const;

 private:
  explicit Process(int pid) : pid_(pid) {}

  int pid_ = -1;
  std::optional<int> exit_code_, signal_;
};

}  // namespace ergon::service
