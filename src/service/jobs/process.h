#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ergon::service {

// A child process. It inherits no files or sockets. It gets SIGINT when the thread that started it ends, even
// after a crash, so that it restores the devices it has changed.
//
// Used from one thread, which must live as long as the process should.
class Process {
 public:
  // `words` starts with the program's path. Standard output overwrites `out`; standard error is appended to
  // `err`.
  static Result<Process> start(const std::vector<std::string>& words, const std::filesystem::path& out,
                               const std::filesystem::path& err);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();  // kills the process if it still runs

  // The exit code if the process has ended, or 128 plus the signal number.
  std::optional<int> ended();
  // Sends SIGINT to the process group.
  void interrupt() const;
  void kill() const;

 private:
  explicit Process(int pid) : pid_(pid) {}

  int pid_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace ergon::service
