#include "service/jobs/line_tail.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace ergon::service {
namespace {

constexpr std::size_t kMaxLineLength = 1U << 20U;

}  // namespace

std::vector<std::string> LineTail::read_new_lines() {
  std::vector<std::string> lines;
  const int fd = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return lines;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(read_));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    read_ += static_cast<std::uint64_t>(got);
    for (ssize_t i = 0; i < got; ++i) {
      const char c = buffer[static_cast<std::size_t>(i)];
      if (c != '\n') {
        if (unfinished_.size() < kMaxLineLength) unfinished_ += c;
        continue;
      }
      lines.push_back(std::move(unfinished_));
      unfinished_.clear();
    }
  }
  ::close(fd);
  return lines;
}

}  // namespace ergon::service
