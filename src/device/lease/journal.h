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
#include "device/lease/lease_place.h"
#include "device/lease/lease_watch.h"

namespace ergon::device {

// The journal of one device's leases, open and locked: <folder>/<uuid>.journal. Whoever has it has the
// device.
//
// The lock is flock() on the file itself. It excludes other processes and other objects of this one, and goes
// with the process however that ends: a journal that holds changes and is not locked belongs to a lease that
// was killed. So that the lock cannot be left behind by its name, the file is never removed, only emptied.
//
// The lock is not handed on to programs that are started (O_CLOEXEC). A process that is forked and starts
// nothing shares it: its object writes nothing, but should the parent be killed, the device stays leased
// until the child ends.
class Journal {
 public:
  // The journal, or who has it. Who creates it wants to keep it, and waits for those who only look; who does
  // not can as well come back later. `watch` may be null and must outlive the journal.
  static Result<std::variant<Journal, HeldBy>> open(const LeasePlace& place, std::string_view uuid,
                                                    IfAbsent if_absent, LeaseWatch* watch);

  Journal(Journal&&) noexcept = default;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const JournalContent& content() const { return content_; }
  bool empty() const { return length_ == 0; }
  // False in a process that was forked off the one that opened it.
  bool ours() const;

  // Writes a record and returns when it is on the disk. When it fails the journal is what it was.
  // Contract: no damage, and a record that makes sense.
  Result<> append(const JournalRecord& record);
  // Nothing is left to restore.
  Result<> clear();
  // A copy of the file beside it, on the disk.
  Result<std::filesystem::path> keep_copy() const;

 private:
  Journal(JournalFolder folder, std::string name, JournalDescriptor file, LeaseWatch* watch);

  Result<> read();
  Result<> write_at(const JournalMark& mark, std::string_view text);
  Result<> truncate(std::size_t size);
  Error here(const Error& error) const;

  JournalFolder folder_;
  std::string name_;
  JournalDescriptor file_;
  pid_t owner_;
  LeaseWatch* watch_;
  JournalContent content_;
  std::size_t length_ = 0;  // of the file, torn records included
};

}  // namespace ergon::device
