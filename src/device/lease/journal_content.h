#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/lease/journal_record.h"

namespace ergon::device {

// A position between two records.
struct JournalMark {
  std::size_t size = 0;  // bytes before the position
  JournalChain chain;
};

// The parsed content of a journal.
struct JournalContent {
  std::optional<JournalOpening> opening;  // absent if the journal is empty
  std::vector<ControlChange> changes;     // changes to restore, oldest first
  JournalMark end;                        // after the last complete record
  JournalMark settled;                    // only `set` records follow; restoring does not need them
  std::optional<Error> damage;            // why the text after `end` is not a valid record

  const ControlChange* change_of(Control control) const;

  // Applies one more record. Errors: a record that is not valid in this state.
  Result<> apply(const JournalRecord& record);
};

// Parses the valid prefix of a journal. An incomplete last line is ignored: a device is changed only after
// the record is on disk, so nothing followed it. Any other invalid text is damage.
JournalContent parse_journal(std::string_view text);

}  // namespace ergon::device
