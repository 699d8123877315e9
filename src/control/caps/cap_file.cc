#include "control/caps/cap_file.h"

#include <cerrno>
#include <sys/stat.h>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::control {
namespace {

using Change = std::optional<CapChange>;

// Longest time to write the file, and resolution of file times.
constexpr Seconds kGrace{0.2};

constexpr std::uint64_t kMaxBytes = 4096;

}  // namespace

FileCap::FileCap(std::string path) : path_(std::move(path)) {}

Result<std::unique_ptr<FileCap>> FileCap::open(const std::string& path) {
  std::unique_ptr<FileCap> source(new FileCap(path));
  if (const auto found = source->stat_file(); !found) return found.error();
  return source;
}

Result<FileCap::Stamp> FileCap::stat_file() const {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) return errno_error(errno).in(path_);
  if (S_ISDIR(status.st_mode)) return errno_error(EISDIR).in(path_);
  // Opening a pipe would block until a writer opens it.
  if (!S_ISREG(status.st_mode)) return fail(Errc::invalid_input, "not a regular file").in(path_);
  return Stamp{.device = status.st_dev,
               .inode = status.st_ino,
               .size = static_cast<std::uint64_t>(status.st_size),
               .modified_s = status.st_mtim.tv_sec,
               .modified_ns = status.st_mtim.tv_nsec};
}

Result<bool> FileCap::refresh(Seconds now) {
  // stat before read: a write in between changes the stamp that the next poll sees.
  const auto stamp = stat_file();
  if (!stamp) return stamp.error();
  if (stamp_ == *stamp && settled_ && !reread_) return false;
  if (stamp->size > kMaxBytes) {
    return fail(Errc::invalid_input, "{} long; expected one line, for example 250W",
                counted(stamp->size, "byte"))
        .in(path_);
  }
  auto text = read_file(path_);
  if (!text) return text.error();
  if (stamp_ != *stamp || text_ != *text) since_ = now;
  settled_ = now - since_ >= kGrace;
  stamp_ = *stamp;
  text_ = std::move(*text);
  reread_ = false;
  return true;
}

Result<Change> FileCap::report_once(const std::string& about, Error error) {
  if (reported_ == about) return Change();
  reported_ = about;
  error.message += cap_ ? fmt::format("; {} stays in force", to_text(*cap_)) : "; no cap was read yet";
  return error;
}

Result<Change> FileCap::poll(Seconds now) {
  if (const auto error = std::exchange(unacknowledged_, std::nullopt)) return *error;
  const auto refreshed = refresh(now);
  if (!refreshed) {
    stamp_.reset();
    const Error& error = refreshed.error();
    if (error.kind != Errc::not_found) return report_once(error.message, error);
    return report_once("removed", fail(Errc::not_found, "removed").in(path_));
  }
  if (!*refreshed) return Change();
  const auto cap = parse_cap(text_);
  if (!cap) {
    const bool unfinished = !text_.ends_with('\n') && !settled_;
    if (unfinished) return Change();
    return report_once("text " + text_, cap.error().in(path_));
  }
  reported_.clear();
  if (cap_ == *cap) return Change();
  before_ = std::exchange(cap_, *cap);
  return Change(CapChange{*cap, "file " + path_});
}

void FileCap::refuse(const std::string&) { cap_ = before_; }

void FileCap::acknowledge(Watts cap, Seconds took) {
  const auto written = write_file(path_ + ".ack", fmt::format("cap_watts={} took_seconds={}\n",
                                                              shortest_text(cap.si()), seconds_text(took)));
  if (!written) unacknowledged_ = written.error();
}

}  // namespace ergon::control
