#include "device/lease/journal.h"

#include <cerrno>
#include <chrono>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include "base/file.h"

namespace ergon::device {
namespace {

// A program that sets clocks for hours does not write a long journal: beyond this many bytes, all but the
// newest settings are dropped.
constexpr std::size_t kLongestSettings = 4096;

// Who only looks (lease_abandoned.h) or finds nothing to recover has the lock for an instant.
constexpr int kLongestLook = 100;  // in milliseconds

// Whether the lock is ours. Asks once, and again every millisecond while it is refused.
Result<bool> lock(int fd, int wait_ms) {
  for (;; --wait_ms) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return errno_error(errno);
    if (wait_ms <= 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

Journal::Journal(JournalFolder folder, std::string name, JournalDescriptor file, LeaseWatch* watch)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      file_(std::move(file)),
      owner_(::getpid()),
      watch_(watch) {}

Journal::~Journal() {
  // Unlocked by hand, for a forked child may still have the file open.
  if (file_ && ours()) ::flock(file_.fd(), LOCK_UN);
}

Result<std::variant<Journal, HeldBy>> Journal::open(const LeasePlace& place, std::string_view uuid,
                                                    IfAbsent if_absent, LeaseWatch* watch) {
  using Outcome = std::variant<Journal, HeldBy>;
  if (uuid.empty()) return fail(Errc::invalid_input, "a device without a UUID cannot be leased");
  auto folder = JournalFolder::open(place.folder, if_absent);
  if (!folder) return folder.error();
  auto file = folder->open_file(journal_name(uuid), if_absent);
  if (!file) return file.error();
  Journal journal(std::move(*folder), journal_name(uuid), std::move(*file), watch);
  const auto locked = lock(journal.file_.fd(), if_absent == IfAbsent::create ? kLongestLook : 0);
  if (!locked) return journal.here(locked.error());
  if (!*locked) {
    const auto text = read_journal(journal.file_.fd());
    const auto opening = text ? parse_journal(*text).opening : std::nullopt;
    return Outcome(HeldBy{opening ? std::optional(opening->holder) : std::nullopt});
  }
  if (auto read = journal.read(); !read) return journal.here(read.error());
  const auto& opening = journal.content_.opening;
  if (opening && opening->uuid != uuid) {
    return journal.here(fail(Errc::invalid_input, "is the journal of another device, {}", opening->uuid));
  }
  return Outcome(std::move(journal));
}

Result<> Journal::read() {
  const auto text = read_journal(file_.fd());
  if (!text) return text.error();
  content_ = parse_journal(*text);
  if (content_.damage) content_.damage = here(*content_.damage);
  length_ = text->size();
  if (length_ > 0) return {};
  return folder_.sync();  // the file may be new
}

bool Journal::ours() const { return ::getpid() == owner_; }

Error Journal::here(const Error& error) const { return error.in((folder_.path() / name_).string()); }

Result<> Journal::append(const JournalRecord& record) {
  ERGON_EXPECTS(ours() && !content_.damage);
  const bool setting = std::holds_alternative<JournalSetting>(record);
  JournalContent next = content_;
  const auto applied = next.apply(record);
  ERGON_EXPECTS(applied);
  std::string text;
  if (setting && content_.end.size - content_.settled.size > kLongestSettings) {
    content_.end = next.end = content_.settled;
    for (const ControlChange& change : next.changes) {
      text += next.end.chain.sign(record_text(JournalSetting{change.control, change.requested}));
    }
  } else {
    text = next.end.chain.sign(record_text(record));
  }
  if (auto written = write_at(content_.end, text); !written) return here(written.error());
  next.end.size += text.size();
  if (!setting) next.settled = next.end;
  content_ = std::move(next);
  return {};
}

Result<> Journal::write_at(const JournalMark& mark, std::string_view text) {
  if (length_ != mark.size) {
    if (auto truncated = truncate(mark.size); !truncated) return truncated;
  }
  Result<> written = append_text(file_.fd(), text);
  if (written) {
    tell(watch_, LeaseStep::journal_written);
    if (::fdatasync(file_.fd()) != 0) written = errno_error(errno);
  }
  length_ = mark.size + text.size();
  if (written) {
    tell(watch_, LeaseStep::journal_synced);
    return {};
  }
  // Should this fail too, the next attempt begins with it.
  static_cast<void>(truncate(mark.size));
  return written;
}

Result<> Journal::truncate(std::size_t size) {
  if (::ftruncate(file_.fd(), static_cast<off_t>(size)) != 0) return errno_error(errno);
  length_ = size;
  return {};
}

Result<> Journal::clear() {
  ERGON_EXPECTS(ours());
  if (auto truncated = truncate(0); !truncated) return here(truncated.error());
  content_ = {};
  tell(watch_, LeaseStep::journal_written);
  if (::fdatasync(file_.fd()) != 0) return here(errno_error(errno));
  tell(watch_, LeaseStep::cleared);
  return {};
}

Result<std::filesystem::path> Journal::keep_copy() const {
  const auto text = read_journal(file_.fd());
  if (!text) return here(text.error());
  return folder_.keep(name_ + ".damaged", *text);
}

}  // namespace ergon::device
