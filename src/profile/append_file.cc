#include "profile/append_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"

namespace ergon::profile {

AppendFile::AppendFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_),
      torn_(other.torn_) {}

AppendFile::~AppendFile() {
  if (fd_ >= 0) ::close(fd_);
}

Error AppendFile::here(int errno_value) const { return errno_error(errno_value).in(path_.string()); }

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return errno_error(errno).in(path.string());
  AppendFile file(path, fd);
  if (auto measured = file.measure(); !measured) return measured.error();
  return file;
}

Result<> AppendFile::measure() {
  struct stat status {};
  if (::fstat(fd_, &status) != 0) return here(errno);
  if (!S_ISREG(status.st_mode)) return fail(Errc::invalid_input, "not a regular file").in(path_.string());
  size_ = static_cast<std::size_t>(status.st_size);
  return {};
}

Result<bool> AppendFile::lock() {
  while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return here(errno);
  }
  // The previous owner of the lock may have written.
  if (auto measured = measure(); !measured) return measured.error();
  return true;
}

Result<> AppendFile::truncate(std::size_t size) {
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) return here(errno);
  size_ = size;
  torn_ = false;
  return {};
}

Result<> AppendFile::append(std::string_view text) {
  if (torn_) {
    if (auto whole = truncate(size_); !whole) return whole;
  }
  torn_ = true;
  if (auto written = write(text); !written) {
    static_cast<void>(truncate(size_));  // if this fails too, the next append retries
    return written;
  }
  size_ += text.size();
  torn_ = false;
  return {};
}

// One system call, unless it writes only a part. Then the rest is written again, which returns the error.
Result<> AppendFile::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return here(errno);
    if (written == 0) return fail(Errc::io, "write returned 0 bytes").in(path_.string());
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fdatasync(fd_) != 0) return here(errno);
  return {};
}

}  // namespace ergon::profile
