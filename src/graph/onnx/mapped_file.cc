#include "graph/onnx/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"

namespace ergon::graph::onnx {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error(errno).in(path);
  struct stat facts {};
  const bool known = ::fstat(fd, &facts) == 0;
  if (!known || !S_ISREG(facts.st_mode)) {
    ::close(fd);
    return fail(Errc::invalid_input, "{}: not a regular file", path);
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* bytes = size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int trouble = errno;
  ::close(fd);
  if (bytes == MAP_FAILED) return errno_error(trouble).in(path);
  return MappedFile(static_cast<const char*>(bytes), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), size_(other.size_) {}

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) ::munmap(const_cast<char*>(bytes_), size_);
}

}  // namespace ergon::graph::onnx
