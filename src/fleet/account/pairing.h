#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fleet/account/event.h"
#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// Finds the STOP of each START on one host. A STOP belongs to the latest START of its task and event that is
// still open, so that a lost STOP spoils one event and not all that follow. Of a START and a STOP at the same
// moment, the STOP ends what began earlier, if anything did.
class Pairing {
 public:
  struct Rules {
    bool keep_duplicates = false;  // else a row that equals another in everything counts once
    Seconds longest{86400};        // whatever took longer is no event
  };

  explicit Pairing(const Rules& rules) : rules_(rules) {}

  // Rows of any order; none before those taken earlier. Appends what is complete.
  void take(std::vector<Checkpoint>& rows, std::vector<Event>& done);

  // The earliest START that may still find its STOP if time has come to `now`.
  std::optional<Timestamp> earliest_open(Timestamp now);
  // Nothing more will come.
  void end();

  std::uint64_t duplicates() const { return duplicates_; }
  const std::vector<Leftover>& leftovers() const { return leftovers_; }

 private:
  using Key = std::pair<std::uint64_t, std::uint16_t>;  // task and event

  void take_moment(const Checkpoint* begin, const Checkpoint* end, std::vector<Event>& done);
  bool close(const Checkpoint& stop, std::vector<Event>& done);
  void give_up(const Checkpoint& row);
  bool may_be_running(const Leftover& start) const;

  Rules rules_;
  std::map<Key, std::vector<Checkpoint>> open_;
  // The latest rows of the last two tasks that noted any.
  struct Last {
    std::uint64_t task = 0;
    Timestamp at{INT64_MIN};
  };
  Last last_, last_of_others_;
  std::uint64_t duplicates_ = 0;
  std::vector<Leftover> leftovers_;
};

}  // namespace ergon::fleet
