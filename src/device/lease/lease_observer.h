#pragma once

#include <cstdint>

namespace ergon::device {

// Steps of a lease. A crash between two steps leaves a different state behind.
enum class LeaseStep : std::uint8_t {
  journal_written,  // the file was written, but not yet synced
  journal_synced,   // a record is on disk
  device_written,   // a control was written
  restored,         // a control has its previous value again
  cleared,          // the journal was truncated and synced
};
inline constexpr int kLeaseSteps = 5;

// Called at each step of a lease. Only tests use it, to kill the process at a step and check the recovery.
class LeaseObserver {
 public:
  virtual ~LeaseObserver() = default;
  virtual void on_step(LeaseStep step) = 0;
};

inline void notify(LeaseObserver* observer, LeaseStep step) {
  if (observer != nullptr) observer->on_step(step);
}

}  // namespace ergon::device
