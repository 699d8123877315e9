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
constexpr std::size_t kMaxHeaderBytes = 256;
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

SharedLog::WriteLock::~WriteLock() {
  if (log_ != nullptr) log_->unlock();
}

Result<SharedLog> SharedLog::open(const std::filesystem::path& folder, std::uint64_t scenario, bool expires) {
  std::error_code failed;
  if (std::filesystem::create_directories(folder, failed)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  }
  if (failed) return errno_error(failed.value()).in(folder.string());
  SharedLog log(folder / "world.log", scenario, expires);
  if (auto looked = log.refresh(LOCK_EX); !looked) return looked.error();
  log.unlock();
  // The caller has not read anything yet.
  log.header_.clear();
  return log;
}

SharedLog::SharedLog(SharedLog&& other) noexcept
    : path_(std::move(other.path_)),
      scenario_(other.scenario_),
      expires_(other.expires_),
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
  std::error_code ignored;  // open() reports the error
  std::filesystem::create_directories(path_.parent_path(), ignored);
  // The permissions of the folder decide about access by other users.
  constexpr mode_t kAll = 0666;
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kAll);
  if (fd_ < 0) return errno_error(errno).in(path_.string());
  struct stat status {};
  if (fstat(fd_, &status) == 0 && status.st_uid == geteuid()) fchmod(fd_, kAll);
  return {};
}

// Reopens the file if it was removed: a deleted file would not be shared with other processes.
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

bool SharedLog::is_unchanged() const {
  char buffer[kMaxHeaderBytes];
  return !header_.empty() && size_ >= read_ && pread(fd_, buffer, header_.size(), 0) == std::ssize(header_) &&
         std::string_view(buffer, header_.size()) == header_;
}

// Whether no process has used the file for an hour. Readers update its modification time.
bool SharedLog::is_expired() const {
  struct stat status {};
  if (fstat(fd_, &status) != 0) return false;
  const std::int64_t seen = std::int64_t{status.st_mtim.tv_sec} * kSecondNs + status.st_mtim.tv_nsec;
  return nanoseconds_of(CLOCK_REALTIME) - seen > kHourNs;
}

void SharedLog::touch() {
  const std::int64_t now = nanoseconds_of(CLOCK_MONOTONIC);
  if (!expires_ || (traced_ns_ != 0 && now - traced_ns_ < kMinuteNs)) return;
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

// Reads the first line of the file, or writes one. Returns whether it differs from the known one.
Result<bool> SharedLog::find_header(int how) {
  if (is_unchanged()) return false;
  if (how != LOCK_EX) {
    if (auto locked = lock(LOCK_EX); !locked) return locked.error();
  }
  const bool was_open = !header_.empty();
  if (!was_open && expires_ && size_ > 0 && is_expired()) {
    if (auto written = write_header(); !written) return written.error();
  }
  for (bool written = false;; written = true) {
    char buffer[kMaxHeaderBytes];
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
      if (was_open)
        return fail(Errc::invalid_input, "{}: another scenario was started in this folder", path_.string());
    }
    if (written) return fail(Errc::io, "{}: cannot read back the header", path_.string());
    if (auto wrote = write_header(); !wrote) return wrote.error();
  }
}

Result<std::string> SharedLog::new_lines() {
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

Result<SharedLog::LogUpdate> SharedLog::refresh(int how) {
  if (auto locked = lock(how); !locked) return locked.error();
  LogUpdate update;
  const auto found = find_header(how);
  if (!found) return unlock(), found.error();
  update.restarted = *found;
  touch();
  auto lines = new_lines();
  if (!lines) return unlock(), lines.error();
  update.lines = std::move(*lines);
  update.now_ns = nanoseconds_of(CLOCK_MONOTONIC) - began_ns_;
  return update;
}

Result<SharedLog::LogUpdate> SharedLog::read() {
  auto update = refresh(LOCK_SH);
  if (update) unlock();
  return update;
}

Result<SharedLog::WriteLock> SharedLog::lock_for_writing() {
  auto update = refresh(LOCK_EX);
  if (!update) return update.error();
  return WriteLock(*this, std::move(*update));
}

Result<> SharedLog::WriteLock::append(std::string_view lines) {
  const SharedLog& log = *log_;
  // An incomplete line after the last newline was left by a killed process.
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

Result<> SharedLog::WriteLock::restart() {
  if (auto written = log_->write_header(); !written) return written;
  log_->header_.clear();
  return {};
}

}  // namespace ergon::fake_nvml
