#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ergon::service {

// Reads the complete lines of a file in pieces, while another program may write it. Of a longer line only the
// first `max_line` bytes are kept, because the program may write anything.
class LineTail {
 public:
  explicit LineTail(std::filesystem::path file, std::size_t max_line = std::size_t{1} << 20)
      : file_(std::move(file)), max_line_(max_line) {}

  // The lines in the next `max_bytes` of the file, without line ends. Empty if the file does not exist yet.
  std::vector<std::string> read_new_lines(std::size_t max_bytes = std::size_t{64} << 10);
  // True if the last read_new_lines() came to the end of the file.
  bool at_end() const { return at_end_; }

  // Leaves out all but the last `bytes` of what has not been read.
  void skip_all_but(std::uint64_t bytes);

  // Text after the last line end. Complete only after the writer has ended.
  const std::string& partial_line() const { return unfinished_; }

 private:
  std::filesystem::path file_;
  std::size_t max_line_;
  std::uint64_t read_ = 0;
  bool at_end_ = false;
  std::string unfinished_;
};

}  // namespace ergon::service
