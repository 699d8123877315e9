#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ergon::service {

// A command that runs beside this program. It gets no file or socket of ours, and SIGINT when the thread that
// started it ends, however that comes about: whatever it has changed on a device it then puts back.
//
// To be used from one thread, which has to live as long as the command should.
class Process {
 public:
  // `words` begin with the program's path. What it prints goes to two files: `out` begins anew, `err` grows.
  static Result<Process> start(const std::vector<std::string>& words, const std::filesystem::path& out,
                               const std::filesystem::path& err);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();  // kills it if it is still there

  // Its exit code once it has ended; 128 and the signal's number if one ended it.
  std::optional<int> ended();
  // A wish to stop; a second one is heard at once.
  void interrupt() const;
  void kill() const;

 private:
  explicit Process(int pid) : pid_(pid) {}

  int pid_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace ergon::service
