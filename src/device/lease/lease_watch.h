#pragma once

#include <cstdint>

namespace ergon::device {

// The moments between which a kill finds the world in another state.
enum class LeaseStep : std::uint8_t {
  journal_written,  // the journal has changed; the disk perhaps not yet
  journal_synced,   // a record is on the disk
  device_written,   // a control was asked to change
  restored,         // a control is back at its previous value
  cleared,          // the journal is empty, on the disk too
};
inline constexpr int kLeaseSteps = 5;

// Sees a lease work. Only tests watch: they end the process at a step, and look what the next start makes of
// it.
class LeaseWatch {
 public:
  virtual ~LeaseWatch() = default;
  virtual void at(LeaseStep step) = 0;
};

inline void tell(LeaseWatch* watch, LeaseStep step) {
  if (watch != nullptr) watch->at(step);
}

}  // namespace ergon::device
