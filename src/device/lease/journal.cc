#include "device/lease/journal.h"

#include <cerrno>
#include <chrono>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include "base/file.h"

namespace ergon::device {
namespace {

// Beyond this many bytes of `set` records, all but the newest of each control are dropped. This bounds the
// journal of a program that sets clocks for hours.
constexpr std::size_t kMaxSettingsBytes = 4096;

// Processes that inspect journals (lease_abandoned.h) or find nothing to recover hold the lock only briefly.
constexpr int kMaxWaitMs = 100;

// Whether the lock was obtained. Retries every millisecond for `wait_ms`.
Result<bool> lock(int fd, int wait_ms) {
  for (;; --wait_ms) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return errno_error(errno);
    if (wait_ms <= 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

Journal::Journal(JournalFolder folder, std::string name, JournalDescriptor file, LeaseObserver* observer)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      file_(std::move(file)),
      owner_(::getpid()),
      observer_(observer) {}

Journal::~Journal() {
  // Unlocked explicitly: a forked child may still have the file open.
  if (file_ && ours()) ::flock(file_.fd(), LOCK_UN);
}

Result<std::variant<Journal, HeldBy>> Journal::open(const LeaseStore& store, std::string_view uuid,
                                                    IfAbsent if_absent, LeaseObserver* observer) {
  using Outcome = std::variant<Journal, HeldBy>;
  if (uuid.empty()) return fail(Errc::invalid_input, "a device without a UUID cannot be leased");
  auto folder = JournalFolder::open(store.folder, if_absent);
  if (!folder) return folder.error();
  auto file = folder->open_file(journal_name(uuid), if_absent);
  if (!file) return file.error();
  Journal journal(std::move(*folder), journal_name(uuid), std::move(*file), observer);
  const auto locked = lock(journal.file_.fd(), if_absent == IfAbsent::create ? kMaxWaitMs : 0);
  if (!locked) return journal.here(locked.error());
  if (!*locked) {
    const auto text = read_journal(journal.file_.fd());
    const auto opening = text ? parse_journal(*text).opening : std::nullopt;
    return Outcome(HeldBy{opening ? std::optional(opening->holder) : std::nullopt});
  }
  if (auto read = journal.read(); !read) return journal.here(read.error());
  const auto& opening = journal.content_.opening;
  if (opening && opening->uuid != uuid) {
    return journal.here(fail(Errc::invalid_input, "journal of another device: {}", opening->uuid));
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
  return folder_.sync();  // the file may have just been created
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
  if (setting && content_.end.size - content_.settled.size > kMaxSettingsBytes) {
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
    notify(observer_, LeaseStep::journal_written);
    if (::fdatasync(file_.fd()) != 0) written = errno_error(errno);
  }
  length_ = mark.size + text.size();
  if (written) {
    notify(observer_, LeaseStep::journal_synced);
    return {};
  }
  // If truncating fails too, the next write retries it (length_ != mark.size).
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
  notify(observer_, LeaseStep::journal_written);
  if (::fdatasync(file_.fd()) != 0) return here(errno_error(errno));
  notify(observer_, LeaseStep::cleared);
  return {};
}

Result<std::filesystem::path> Journal::save_copy() const {
  const auto text = read_journal(file_.fd());
  if (!text) return here(text.error());
  return folder_.save_new(name_ + ".damaged", *text);
}

}  // namespace ergon::device
