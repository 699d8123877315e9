#include "device/lease/journal_folder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/file.h"
#include "device/lease/journal_record.h"

namespace ergon::device {
namespace fs = std::filesystem;

namespace {

// A journal has records of about 64 bytes and drops old settings, so a file above this size is not a journal.
constexpr std::size_t kMaxJournalBytes = std::size_t{1} << 20;

Result<> sync_folder(int fd) {
  // EINVAL: the file system does not sync folders.
  if (::fsync(fd) == 0 || errno == EINVAL) return {};
  return errno_error(errno);
}

// Creates a folder and its parents, and syncs each.
Result<> make_folder(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return {};
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (parent != path) {
    if (auto made = make_folder(parent); !made) return made;
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return errno_error(errno).in(path.string());
  const JournalDescriptor above(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above) return errno_error(errno).in(parent.string());
  if (auto synced = sync_folder(above.fd()); !synced) return synced.error().in(parent.string());
  return {};
}

Result<> check_owner(int fd, mode_t kind) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return errno_error(errno);
  if ((status.st_mode & S_IFMT) != kind) return fail(Errc::invalid_input, "not a regular file or folder");
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return fail(Errc::permission, "owned by another user (uid {}), not trusted", status.st_uid);
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fail(Errc::permission, "writable by other users, not trusted; run chmod go-w");
  }
  return {};
}

Error open_error(int errno_value) {
  if (errno_value == ELOOP) return fail(Errc::invalid_input, "symbolic link, not followed");
  return errno_error(errno_value);
}

}  // namespace

std::string journal_name(std::string_view uuid) { return journal_word(uuid) + ".journal"; }

Result<JournalFolder> JournalFolder::open(const fs::path& path, IfAbsent if_absent) {
  if (if_absent == IfAbsent::create) {
    if (auto made = make_folder(path); !made) return made.error();
  }
  JournalDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) {
    struct stat status {};
    const int open_errno = errno;
    const bool link = ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
    return open_error(link ? ELOOP : open_errno).in(path.string());
  }
  if (auto checked = check_owner(folder.fd(), S_IFDIR); !checked) return checked.error().in(path.string());
  return JournalFolder(path, std::move(folder));
}

Result<JournalDescriptor> JournalFolder::open_file(const std::string& name, IfAbsent if_absent) const {
  const int creation = if_absent == IfAbsent::create ? O_CREAT : 0;
  JournalDescriptor file(::openat(folder_.fd(), name.c_str(),
                                  O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | creation, 0600));
  if (!file) return open_error(errno).in((path_ / name).string());
  if (auto checked = check_owner(file.fd(), S_IFREG); !checked) {
    return checked.error().in((path_ / name).string());
  }
  return file;
}

Result<fs::path> JournalFolder::save_new(const std::string& name, std::string_view content) const {
  for (int number = 1;; ++number) {
    const std::string free = number == 1 ? name : fmt::format("{}.{}", name, number);
    fs::path path = path_ / free;
    const JournalDescriptor file(::openat(
        folder_.fd(), free.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file && errno == EEXIST) continue;
    if (!file) return errno_error(errno).in(path.string());
    if (auto written = append_text(file.fd(), content); !written) return written.error().in(path.string());
    if (::fsync(file.fd()) != 0) return errno_error(errno).in(path.string());
    if (auto synced = sync(); !synced) return synced.error();
    return path;
  }
}

Result<> JournalFolder::sync() const {
  if (auto synced = sync_folder(folder_.fd()); !synced) return synced.error().in(path_.string());
  return {};
}

Result<std::string> read_journal(int fd) {
  std::string content;
  char block[4096];
  for (;;) {
    const ssize_t got = ::pread(fd, block, sizeof block, static_cast<off_t>(content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(errno);
    if (got == 0) return content;
    content.append(block, static_cast<std::size_t>(got));
    if (content.size() > kMaxJournalBytes)
      return fail(Errc::invalid_input, "larger than 1 MiB, not a journal");
  }
}

Result<> append_text(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_error(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace ergon::device
