#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fleet/account/event.h"
#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// Pairs START and STOP checkpoints of one host. A STOP closes the latest open START of its task and event, so
// a lost STOP invalidates one event and not all later ones. If START and STOP have the same time, the STOP
// first closes an earlier START, if there is one.
class Pairing {
 public:
  static constexpr Seconds kDefaultMaxEvent{86400};

  struct PairingRules {
    bool keep_duplicates = false;          // otherwise identical checkpoints count once
    Seconds max_event = kDefaultMaxEvent;  // a START and a STOP further apart are not paired
  };

  explicit Pairing(const PairingRules& rules) : rules_(rules) {}

  // Rows may be in any order, but none before those of earlier calls. Appends finished events to `done`.
  void take(std::vector<Checkpoint>& rows, std::vector<Event>& done);

  // The earliest START that may still be paired. `now` is the time up to which all rows were taken.
  std::optional<Timestamp> earliest_open(Timestamp now);
  // There are no more rows.
  void end();

  std::uint64_t duplicates() const { return duplicates_; }
  const std::vector<UnpairedCheckpoint>& unpaired_checkpoints() const { return unpaired_checkpoints_; }

 private:
  using Key = std::pair<std::uint64_t, std::uint16_t>;  // task and event

  void take_simultaneous(const Checkpoint* begin, const Checkpoint* end, std::vector<Event>& done);
  bool close(const Checkpoint& stop, std::vector<Event>& done);
  void add_unpaired(const Checkpoint& row);
  bool may_be_running(const UnpairedCheckpoint& start) const;

  PairingRules rules_;
  std::map<Key, std::vector<Checkpoint>> open_;
  // The latest checkpoints of the last two tasks.
  struct Last {
    std::uint64_t task = 0;
    Timestamp at{INT64_MIN};
  };
  Last last_, last_of_others_;
  std::uint64_t duplicates_ = 0;
  std::vector<UnpairedCheckpoint> unpaired_checkpoints_;
};

}  // namespace ergon::fleet
