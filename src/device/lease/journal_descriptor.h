#pragma once

#include <unistd.h>
#include <utility>

namespace ergon::device {

// A file descriptor that is closed by the destructor.
class JournalDescriptor {
 public:
  JournalDescriptor() = default;
  explicit JournalDescriptor(int fd) : fd_(fd) {}
  JournalDescriptor(JournalDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  JournalDescriptor& operator=(JournalDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~JournalDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace ergon::device
