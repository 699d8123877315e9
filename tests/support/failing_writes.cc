// Makes writes of a program fail: a library for LD_PRELOAD. ERGON_FAILING_WRITES=TARGET:FIRST:ERRNO:MARK
//
//   TARGET  1 or 2: that standard stream. A folder: all files in it.
//   FIRST   number of the first write to the target that fails, from 1; all later ones fail, too
//   ERRNO   how they fail
//   MARK    file that is created when a write fails
//
// Closing another descriptor of standard output counts as a write to it.

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <climits>

namespace {

struct Fault {
  std::string target, mark;
  int first = 0, error = 0;
};

// "" if there are no more.
std::string next_field(std::string& fields) {
  const std::size_t end = std::min(fields.find(':'), fields.size());
  const std::string field = fields.substr(0, end);
  fields.erase(0, end + 1);
  return field;
}

Fault requested_fault() {
  const char* const variable = std::getenv("ERGON_FAILING_WRITES");
  if (variable == nullptr) return {};
  std::string fields = variable;
  Fault fault;
  fault.target = next_field(fields);
  fault.first = std::atoi(next_field(fields).c_str());
  fault.error = std::atoi(next_field(fields).c_str());
  fault.mark = fields;
  return fault;
}

const Fault fault = requested_fault();
std::atomic<int> writes = 0;

bool is_target(int fd) {
  if (fault.target.empty()) return false;
  if (fault.target[0] != '/') return fd == std::atoi(fault.target.c_str());
  char path[PATH_MAX];
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path);
  return size > 0 && std::string(path, static_cast<std::size_t>(size)).starts_with(fault.target + "/");
}

bool is_other_descriptor_of_standard_output(int fd) {
  struct stat its {
  }, output{};
  return fault.target == "1" && fd > STDERR_FILENO && ::fstat(fd, &its) == 0 &&
         ::fstat(STDOUT_FILENO, &output) == 0 && its.st_dev == output.st_dev && its.st_ino == output.st_ino;
}

bool fails(bool counts) {
  if (!counts || ++writes < fault.first) return false;
  const int mark = ::open(fault.mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::syscall(SYS_close, mark);
  errno = fault.error;
  return true;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT ssize_t write(int fd, const void* data, std::size_t size) {
  return fails(is_target(fd)) ? -1 : ::syscall(SYS_write, fd, data, size);
}

EXPORT ssize_t writev(int fd, const iovec* parts, int count) {
  return fails(is_target(fd)) ? -1 : ::syscall(SYS_writev, fd, parts, count);
}

EXPORT int close(int fd) {
  const bool failed = fails(is_other_descriptor_of_standard_output(fd));
  const int saved_errno = errno;
  const auto closed = static_cast<int>(::syscall(SYS_close, fd));
  if (!failed) return closed;
  errno = saved_errno;
  return -1;
}
