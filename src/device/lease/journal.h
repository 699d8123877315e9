#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <variant>

#include "base/result.h"
#include "device/lease/journal_content.h"
#include "device/lease/journal_folder.h"
#include "device/lease/lease_observer.h"
#include "device/lease/lease_store.h"

namespace ergon::device {

// The open and locked lease journal of one device: <folder>/<uuid>.journal. Holding the lock means holding
// the lease.
//
// The lock is flock() on the file itself. It excludes other processes and other Journal objects of the same
// process. The kernel releases it when the process ends for any reason, so an unlocked journal with changes
// belongs to a killed process. The file is truncated but never removed: a new file under the same name would
// be a second lock.
//
// Started programs do not inherit the lock (O_CLOEXEC). A forked child without exec() does: its object does
// not write, but if the parent is killed, the device stays leased until the child ends.
class Journal {
 public:
  // The locked journal, or its current holder. With IfAbsent::create, waits up to 100 ms for processes that
  // only inspect the journal; otherwise does not wait. `observer` may be null and must outlive the journal.
  static Result<std::variant<Journal, HeldBy>> open(const LeaseStore& store, std::string_view uuid,
                                                    IfAbsent if_absent, LeaseObserver* observer);

  Journal(Journal&&) noexcept = default;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const JournalContent& content() const { return content_; }
  bool empty() const { return length_ == 0; }
  // False in a forked child of the process that opened the journal.
  bool ours() const;

  // Writes a record and syncs it to disk. On failure the journal is unchanged.
  // Contract: the journal is not damaged and JournalContent::apply() accepts the record.
  Result<> append(const JournalRecord& record);
  // Truncates the file: nothing is left to restore.
  Result<> clear();
  // Copies the file to a new file in the same folder and syncs it. Returns the path of the copy.
  Result<std::filesystem::path> save_copy() const;

 private:
  Journal(JournalFolder folder, std::string name, JournalDescriptor file, LeaseObserver* observer);

  Result<> read();
  Result<> write_at(const JournalMark& mark, std::string_view text);
  Result<> truncate(std::size_t size);
  Error here(const Error& error) const;

  JournalFolder folder_;
  std::string name_;
  JournalDescriptor file_;
  pid_t owner_;
  LeaseObserver* observer_;
  JournalContent content_;
  std::size_t length_ = 0;  // of the file, including an incomplete last record
};

}  // namespace ergon::device
