#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/lease/journal_record.h"

namespace ergon::device {

// A place between two records.
struct JournalMark {
  std::size_t size = 0;  // bytes before it
  JournalChain chain;
};

// What a journal says.
struct JournalContent {
  std::optional<JournalOpening> opening;  // nothing: the journal is empty
  std::vector<ControlChange> changes;     // those to take back, in the order they were begun
  JournalMark end;                        // of the last whole record
  JournalMark settled;          // what follows are settings: worth knowing, but not needed to restore
  std::optional<Error> damage;  // why what follows `end` cannot be believed

  const ControlChange* change_of(Control control) const;

  // What another record adds to opening and changes. Errors: one that makes no sense here.
  Result<> apply(const JournalRecord& record);
};

// Understands as much of a journal as is whole. A last line that was not finished is as good as never
// written: devices are touched only after it is on the disk. Anything else that is no record is damage.
JournalContent parse_journal(std::string_view text);

}  // namespace ergon::device
