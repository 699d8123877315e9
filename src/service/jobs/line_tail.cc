#include "service/jobs/line_tail.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace ergon::service {

std::vector<std::string> LineTail::read_new_lines(std::size_t max_bytes) {
  std::vector<std::string> lines;
  at_end_ = true;
  const int fd = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return lines;
  std::array<char, 65536> buffer;
  std::size_t left = max_bytes;
  while (left > 0) {
    const ssize_t got = ::pread(fd, buffer.data(), std::min(buffer.size(), left), static_cast<off_t>(read_));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    left -= static_cast<std::size_t>(got);
    read_ += static_cast<std::uint64_t>(got);
    for (ssize_t i = 0; i < got; ++i) {
      const char c = buffer[static_cast<std::size_t>(i)];
      if (c != '\n') {
        if (unfinished_.size() < max_line_) unfinished_ += c;
        continue;
      }
      lines.push_back(std::move(unfinished_));
      unfinished_.clear();
    }
  }
  at_end_ = left > 0;
  ::close(fd);
  return lines;
}

void LineTail::skip_all_but(std::uint64_t bytes) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file_, error);
  if (error || size < read_ || size - read_ <= bytes) return;
  read_ = size - bytes;
  unfinished_.clear();
}

}  // namespace ergon::service
