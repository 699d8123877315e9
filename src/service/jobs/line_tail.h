#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ergon::service {

// Reads the complete lines of a file while another program writes it. Of a longer line only the first 1 MiB
// are kept, because the program may write anything.
class LineTail {
 public:
  explicit LineTail(std::filesystem::path file) : file_(std::move(file)) {}

  // Lines added since the last call, without line ends. Empty if the file does not exist yet.
  std::vector<std::string> read_new_lines();

  // Text after the last line end. Complete only after the writer has ended.
  const std::string& partial_line() const { return unfinished_; }

 private:
  std::filesystem::path file_;
  std::uint64_t read_ = 0;
  std::string unfinished_;
};

}  // namespace ergon::service
