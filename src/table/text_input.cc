#include "table/text_input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "base/units_text.h"
#include "table/file_format.h"
#include "table/inflate/inflate.h"

namespace ergon::table {
namespace {

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

// More than this cannot be worked on here; a small compressed file can claim any size.
std::size_t machine_memory() { return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page_size(); }

Error interrupted() { return fail(Errc::cancelled, "interrupted while reading"); }

// Closes the file descriptor of an ordinary file, and leaves standard input to its owner.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

TextInput::TextInput(TextInput&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      reserved_(std::exchange(other.reserved_, 0)),
      file_backed_(other.file_backed_) {}

TextInput::~TextInput() {
  if (data_ != nullptr) ::munmap(data_, reserved_);
}

Result<TextInput> TextInput::open(const std::filesystem::path& path, const std::stop_token& stop,
                                  const InputLimits& limits) {
  if (const auto supported = check_table_input(path); !supported) return supported.error();
  const std::string shown = path == "-" ? "standard input" : path.string();
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error(errno).in(shown);
  const OpenFile file(fd);
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return errno_error(errno).in(shown);
  if (S_ISDIR(facts.st_mode)) return errno_error(EISDIR).in(shown);

  const bool mappable = S_ISREG(facts.st_mode) && facts.st_size > 0 && ::lseek(fd, 0, SEEK_CUR) == 0;
  auto raw = mappable ? map(fd, static_cast<std::size_t>(facts.st_size)) : read_to_end(fd, stop, limits);
  if (!raw) return raw.error().in(shown);
  const auto compression = compression_of(raw->text().substr(0, 8));
  if (!compression) return raw;

  TextInput expanded;
  const TextSink store = [&](std::string_view more) {
    return stop.stop_requested() ? Result<>{interrupted()} : expanded.append(more);
  };
  const auto done = inflate(*compression, raw->text(), store, limits);
  if (!done) return done.error().in(shown);
  return expanded;
}

Result<TextInput> TextInput::map(int fd, std::size_t size) {
  void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (place == MAP_FAILED) return errno_error(errno);
  TextInput input;
  input.data_ = static_cast<char*>(place);
  input.size_ = input.reserved_ = size;
  input.file_backed_ = true;
  return input;
}

Result<TextInput> TextInput::read_to_end(int fd, const std::stop_token& stop, const InputLimits& limits) {
  TextInput input;
  std::string block(std::size_t{1} << 18, '\0');
  for (;;) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if ((got < 0 && errno == EINTR) || stop.stop_requested()) return interrupted();
    if (got < 0) return errno_error(errno);
    if (got == 0) return input;
    if (input.size_ + static_cast<std::size_t>(got) > limits.expanded_bytes)
      return fail(Errc::invalid_input, "a pipe with more than {}; {}",
                  to_text(Bytes{static_cast<double>(limits.expanded_bytes)}),
                  how_to_raise("expanded", "SIZE"));
    if (auto taken = input.append({block.data(), static_cast<std::size_t>(got)}); !taken)
      return taken.error();
  }
}

Result<> TextInput::append(std::string_view more) {
  if (more.empty()) return {};
  if (size_ + more.size() > reserved_) {
    const std::size_t wanted = std::max(std::max(reserved_ * 2, size_ + more.size()), std::size_t{1} << 22);
    if (size_ + more.size() > machine_memory()) {
      return fail(Errc::invalid_input, "expands to more than the memory of this machine");
    }
    void* const place =
        data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                         : ::mremap(data_, reserved_, wanted, MREMAP_MAYMOVE);
    if (place == MAP_FAILED) return fail(Errc::io, "no memory for {} bytes of text", wanted);
    data_ = static_cast<char*>(place);
    reserved_ = wanted;
  }
  ERGON_EXPECTS(data_ != nullptr);
  std::memcpy(data_ + size_, more.data(), more.size());
  size_ += more.size();
  return {};
}

void TextInput::release(std::size_t begin, std::size_t end) const {
  if (!file_backed_) return;
  const std::size_t page = page_size();
  const std::size_t first = (begin + page - 1) / page * page;
  const std::size_t last = end / page * page;
  if (last > first) ::madvise(data_ + first, last - first, MADV_DONTNEED);
}

}  // namespace ergon::table
