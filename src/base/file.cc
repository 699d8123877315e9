#include "base/file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ergon {
namespace fs = std::filesystem;

Errc errc_of(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
      return Errc::not_found;
    case EACCES:
    case EPERM:
    case EROFS:
      return Errc::permission;
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return Errc::invalid_input;
    case EINTR:
    case ECANCELED:
      return Errc::cancelled;
    default:
      return Errc::io;
  }
}

Error errno_error(int errno_value) {
  switch (errno_value) {
    case ENOENT:
      return fail(Errc::not_found, "no such file");
    case EISDIR:
      return fail(Errc::invalid_input, "is a directory, not a file");
    case ENOSPC:
      return fail(Errc::io, "no space left on the disk");
    default:
      return {errc_of(errno_value), std::generic_category().message(errno_value)};
  }
}

Result<std::string> read_file(const fs::path& path, const InputLimits& limits) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error(errno).in(path.string());
  std::string content;
  char block[65536];
  ssize_t got = 0;
  struct stat facts {};
  const bool sized = ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
  Result<> fits = check_file_size(sized ? static_cast<std::uint64_t>(facts.st_size) : 0, limits);
  while (fits && (got = ::read(fd, block, sizeof block)) > 0) {
    content.append(block, static_cast<std::size_t>(got));
    fits = check_file_size(content.size(), limits);  // a device or a pipe has no size before it was read
  }
  const int read_errno = errno;
  ::close(fd);
  if (!fits) return fits.error().in(path.string());
  if (got < 0) return errno_error(read_errno).in(path.string());
  return content;
}

AtomicFile::AtomicFile(fs::path final_path, fs::path beside, int fd)
    : final_path_(std::move(final_path)), beside_(std::move(beside)), fd_(fd) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : final_path_(std::move(other.final_path_)),
      beside_(std::move(other.beside_)),
      fd_(std::exchange(other.fd_, -1)) {}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

namespace {

// The target of a path after following links, whether it exists or not.
fs::path link_target(fs::path path) {
  std::error_code failed;
  for (int depth = 0; depth < 40 && fs::is_symlink(path, failed); ++depth) {
    path = path.parent_path() / fs::read_symlink(path, failed);
  }
  return path;
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& final_path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(final_path, ignored);
  if (fs::is_directory(status)) return errno_error(EISDIR).in(final_path.string());
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const int fd = ::open(final_path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return errno_error(errno).in(final_path.string());
    return AtomicFile(final_path, {}, fd);
  }
  // A symbolic link stays; the file it points to is replaced.
  const fs::path target = link_target(final_path);
  std::string beside = (target.parent_path() / ".ergon-XXXXXX").string();
  const int fd = ::mkostemp(beside.data(), O_CLOEXEC);
  if (fd < 0) {
    const Error error = errno == ENOENT ? fail(Errc::not_found, "no such folder") : errno_error(errno);
    return error.in(final_path.string());
  }
  // mkostemp creates files with mode 0600; use the mode of the old file, or of an ordinary new one.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const auto old = static_cast<mode_t>(status.permissions()) & 07777;
  ::fchmod(fd, fs::exists(status) ? old : 0666 & ~mask);
  return AtomicFile(target, beside, fd);
}

Result<> AtomicFile::write(std::string_view text) {
  ERGON_EXPECTS(fd_ >= 0);
  while (!text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_error(errno).in(final_path_.string());
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<> AtomicFile::commit() {
  ERGON_EXPECTS(fd_ >= 0);
  if (beside_.empty()) {
    if (::close(std::exchange(fd_, -1)) != 0) return errno_error(errno).in(final_path_.string());
    return {};
  }
  const bool synced = ::fsync(fd_) == 0;
  const int sync_errno = errno;
  const bool closed = ::close(std::exchange(fd_, -1)) == 0;
  const int close_errno = errno;
  if (synced && closed && ::rename(beside_.c_str(), final_path_.c_str()) == 0) {
    // Syncs the folder so that the new name survives a power loss. A folder that cannot be synced is ignored.
    const fs::path folder = final_path_.has_parent_path() ? final_path_.parent_path() : fs::path(".");
    const int folder_fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd >= 0) {
      ::fsync(folder_fd);
      ::close(folder_fd);
    }
    return {};
  }
  const Error error = errno_error(!synced   ? sync_errno
                                  : !closed ? close_errno
                                            : errno)
                          .in(final_path_.string());
  ::unlink(beside_.c_str());
  return error;
}

Result<> write_file(const fs::path& path, std::string_view text) {
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  if (auto written = file->write(text); !written) return written;
  return file->commit();
}

}  // namespace ergon
