#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ergon::service {

// The lines of a file that another program is writing, as they come; one that has no end yet waits.
class LineTail {
 public:
  explicit LineTail(std::filesystem::path file) : file_(std::move(file)) {}

  // What was added since the last call, without line ends. Nothing where there is no such file yet.
  std::vector<std::string> more();

  // What stands behind the last line end, once nobody writes any more.
  const std::string& rest() const { return unfinished_; }

 private:
  std::filesystem::path file_;
  std::uint64_t read_ = 0;
  std::string unfinished_;
};

}  // namespace ergon::service
