#include "shared_log.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::fake_nvml {
namespace {

constexpr std::string_view kMagic = "ergon-fake-nvml 1";
constexpr std::size_t kLongestHeader = 256;
constexpr std::int64_t kSecondNs = 1'000'000'000, kMinuteNs = 60 * kSecondNs, kHourNs = 60 * kMinuteNs;

std::int64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * kSecondNs + now.tv_nsec;
}

std::string boot_id() {
  const auto text = read_file("/proc/sys/kernel/random/boot_id");
  return text ? std::string(trim(*text)) : "unknown";
}

std::string scenario_text(std::uint64_t scenario) { return fmt::format("{:016x}", scenario); }

}  // namespace

SharedLog::Hold::~Hold() {
  if (log_ != nullptr) log_->unlock();
}

Result<SharedLog> SharedLog::open(const std::filesystem::path& folder, std::uint64_t scenario,
                                  bool forgotten) {
  std::error_code failed;
  if (std::filesystem::create_directories(folder, failed)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  }
  if (failed) return errno_error(failed.value()).in(folder.string());
  SharedLog log(folder / "world.log", scenario, forgotten);
  if (auto looked = log.look(LOCK_EX); !looked) return looked.error();
  log.unlock();
  // Whoever opened it has read nothing yet.
  log.header_.clear();
  return log;
}

SharedLog::SharedLog(SharedLog&& other) noexcept
    : path_(std::move(other.path_)),
      scenario_(other.scenario_),
      forgotten_(other.forgotten_),
      fd_(std::exchange(other.fd_, -1)),
      header_(std::move(other.header_)),
      read_(other.read_),
      size_(other.size_),
      began_ns_(other.began_ns_),
      began_wall_(other.began_wall_),
      traced_ns_(other.traced_ns_) {}

SharedLog::~SharedLog() {
  if (fd_ >= 0) ::close(fd_);
}

Result<> SharedLog::open_file() {
  std::error_code ignored;  // open() says what is wrong
  std::filesystem::create_directories(path_.parent_path(), ignored);
  // Whether others may come in is the folder's business.
  constexpr mode_t kAll = 0666;
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kAll);
  if (fd_ < 0) return errno_error(errno).in(path_.string());
  struct stat status {};
  if (fstat(fd_, &status) == 0 && status.st_uid == geteuid()) fchmod(fd_, kAll);
  return {};
}

// A file that was removed in the meantime would be a world of one's own.
Result<> SharedLog::lock(int how) {
  for (;;) {
    if (fd_ < 0) {
      if (auto opened = open_file(); !opened) return opened;
    }
    while (flock(fd_, how) != 0) {
      if (errno != EINTR) return errno_error(errno).in(path_.string());
    }
    struct stat status {};
    if (fstat(fd_, &status) != 0) return errno_error(errno).in(path_.string());
    size_ = status.st_size;
    if (status.st_nlink > 0) return {};
    ::close(fd_);
    fd_ = -1;
    header_.clear();
  }
}

void SharedLog::unlock() const { flock(fd_, LOCK_UN); }

bool SharedLog::still_the_same() const {
  char buffer[kLongestHeader];
  return !header_.empty() && size_ >= read_ && pread(fd_, buffer, header_.size(), 0) == std::ssize(header_) &&
         std::string_view(buffer, header_.size()) == header_;
}

// Readers change nothing in the file but, now and then, its time.
bool SharedLog::long_unseen() const {
  struct stat status {};
  if (fstat(fd_, &status) != 0) return false;
  const std::int64_t seen = std::int64_t{status.st_mtim.tv_sec} * kSecondNs + status.st_mtim.tv_nsec;
  return nanoseconds_of(CLOCK_REALTIME) - seen > kHourNs;
}

void SharedLog::leave_a_trace() {
  const std::int64_t now = nanoseconds_of(CLOCK_MONOTONIC);
  if (!forgotten_ || (traced_ns_ != 0 && now - traced_ns_ < kMinuteNs)) return;
  traced_ns_ = now;
  futimens(fd_, nullptr);
}

Result<> SharedLog::write_header() {
  const std::string line = fmt::format("{} {} {} {} {}\n", kMagic, boot_id(), scenario_text(scenario_),
                                       nanoseconds_of(CLOCK_MONOTONIC), nanoseconds_of(CLOCK_REALTIME));
  if (ftruncate(fd_, 0) != 0 || pwrite(fd_, line.data(), line.size(), 0) != std::ssize(line)) {
    return errno_error(errno).in(path_.string());
  }
  size_ = std::ssize(line);
  return {};
}

// Reads the first line of the file, or writes one. True if it is not the one that was known.
Result<bool> SharedLog::find_world(int how) {
  if (still_the_same()) return false;
  if (how != LOCK_EX) {
    if (auto locked = lock(LOCK_EX); !locked) return locked.error();
  }
  const bool was_here = !header_.empty();
  if (!was_here && forgotten_ && size_ > 0 && long_unseen()) {
    if (auto written = write_header(); !written) return written.error();
  }
  for (bool written = false;; written = true) {
    char buffer[kLongestHeader];
    const ssize_t got = pread(fd_, buffer, sizeof buffer, 0);
    if (got < 0) return errno_error(errno).in(path_.string());
    const std::string_view text(buffer, static_cast<std::size_t>(got));
    const auto end = text.find('\n');
    const auto words = split(text.substr(0, end), ' ');
    constexpr std::size_t kWords = 6;
    if (end != std::string_view::npos && text.starts_with(kMagic) && words.size() == kWords &&
        words[2] == boot_id()) {
      const auto monotonic = parse_int64(words[4]), wall = parse_int64(words[5]);
      if (words[3] == scenario_text(scenario_) && monotonic && wall) {
        header_ = text.substr(0, end + 1);
        read_ = std::ssize(header_);
        began_ns_ = *monotonic;
        began_wall_ = {*wall};
        return true;
      }
      if (was_here) return fail(Errc::invalid_input, "{}: another scenario has begun here", path_.string());
    }
    if (written) return fail(Errc::io, "{}: what was written cannot be read", path_.string());
    if (auto wrote = write_header(); !wrote) return wrote.error();
  }
}

Result<std::string> SharedLog::lines_since_last_time() {
  std::string text(static_cast<std::size_t>(size_ - read_), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = pread(fd_, text.data() + have, text.size() - have, read_ + static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(errno).in(path_.string());
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
  read_ += std::ssize(text);
  return text;
}

Result<SharedLog::News> SharedLog::look(int how) {
  if (auto locked = lock(how); !locked) return locked.error();
  News news;
  const auto found = find_world(how);
  if (!found) return unlock(), found.error();
  news.another_world = *found;
  leave_a_trace();
  auto lines = lines_since_last_time();
  if (!lines) return unlock(), lines.error();
  news.lines = std::move(*lines);
  news.now_ns = nanoseconds_of(CLOCK_MONOTONIC) - began_ns_;
  return news;
}

Result<SharedLog::News> SharedLog::read() {
  auto news = look(LOCK_SH);
  if (news) unlock();
  return news;
}

Result<SharedLog::Hold> SharedLog::hold() {
  auto news = look(LOCK_EX);
  if (!news) return news.error();
  return Hold(*this, std::move(*news));
}

Result<> SharedLog::Hold::append(std::string_view lines) {
  const SharedLog& log = *log_;
  // What stands behind the last newline was left by somebody who was killed.
  if (log.size_ > log.read_ && ftruncate(log.fd_, log.read_) != 0)
    return errno_error(errno).in(log.path_.string());
  const ssize_t written = pwrite(log.fd_, lines.data(), lines.size(), log.read_);
  if (written == std::ssize(lines)) {
    log_->read_ = log_->size_ = log.read_ + written;
    return {};
  }
  const int why = written < 0 ? errno : ENOSPC;
  if (ftruncate(log.fd_, log.read_) != 0) return errno_error(errno).in(log.path_.string());
  return errno_error(why).in(log.path_.string());
}

Result<> SharedLog::Hold::begin_anew() {
  if (auto written = log_->write_header(); !written) return written;
  log_->header_.clear();
  return {};
}

}  // namespace ergon::fake_nvml
