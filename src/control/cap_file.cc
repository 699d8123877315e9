#include "control/cap_file.h"

#include <cerrno>
#include <sys/stat.h>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::control {
namespace {

using Change = std::optional<CapChange>;

// Within it a half-written file becomes a whole one, and file times tell two versions apart.
constexpr Seconds kGrace{0.2};

constexpr std::uint64_t kLongestText = 4096;

}  // namespace

WatchedCap::WatchedCap(std::string path) : path_(std::move(path)) {}

Result<std::unique_ptr<WatchedCap>> WatchedCap::open(const std::string& path) {
  std::unique_ptr<WatchedCap> source(new WatchedCap(path));
  if (const auto found = source->look(); !found) return found.error();
  return source;
}

Result<WatchedCap::Stamp> WatchedCap::look() const {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) return errno_error(errno).in(path_);
  if (S_ISDIR(status.st_mode)) return errno_error(EISDIR).in(path_);
  // To open a pipe would be to wait for its writer.
  if (!S_ISREG(status.st_mode)) return fail(Errc::invalid_input, "not an ordinary file").in(path_);
  return Stamp{.device = status.st_dev,
               .inode = status.st_ino,
               .size = static_cast<std::uint64_t>(status.st_size),
               .modified_s = status.st_mtim.tv_sec,
               .modified_ns = status.st_mtim.tv_nsec};
}

Result<bool> WatchedCap::refresh(Seconds now) {
  // Looked at before it is read: what is written in between has another stamp in the next poll.
  const auto stamp = look();
  if (!stamp) return stamp.error();
  if (stamp_ == *stamp && settled_ && !reread_) return false;
  if (stamp->size > kLongestText) {
    return fail(Errc::invalid_input, "{} long; a cap is one line, such as 250W", counted(stamp->size, "byte"))
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

Result<Change> WatchedCap::tell_once(const std::string& about, Error error) {
  if (told_ == about) return Change();
  told_ = about;
  error.message += cap_ ? fmt::format("; {} goes on holding", to_text(*cap_)) : "; it gave no cap yet";
  return error;
}

Result<Change> WatchedCap::poll(Seconds now) {
  if (const auto error = std::exchange(unacknowledged_, std::nullopt)) return *error;
  const auto refreshed = refresh(now);
  if (!refreshed) {
    stamp_.reset();
    const Error& error = refreshed.error();
    if (error.kind != Errc::not_found) return tell_once(error.message, error);
    return tell_once("removed", fail(Errc::not_found, "removed").in(path_));
  }
  if (!*refreshed) return Change();
  const auto cap = parse_cap(text_);
  if (!cap) {
    const bool unfinished = !text_.ends_with('\n') && !settled_;
    if (unfinished) return Change();
    return tell_once("text " + text_, cap.error().in(path_));
  }
  told_.clear();
  if (cap_ == *cap) return Change();
  before_ = std::exchange(cap_, *cap);
  return Change(CapChange{*cap, "file " + path_});
}

void WatchedCap::refuse(const std::string&) { cap_ = before_; }

void WatchedCap::acknowledge(Watts cap, Seconds took) {
  const auto written = write_file(path_ + ".ack", fmt::format("cap_watts={} took_seconds={}\n",
                                                              shortest_text(cap.si()), seconds_text(took)));
  if (!written) unacknowledged_ = written.error();
}

}  // namespace ergon::control
