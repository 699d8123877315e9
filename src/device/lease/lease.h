#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/lease/lease_observer.h"
#include "device/lease/lease_restore.h"
#include "device/lease/lease_store.h"
#include "device/lease/lease_value.h"

namespace ergon::device {

// Proof that the user passed --allow-control.
class ControlAllowed {
 public:
  static ControlAllowed by_user() { return {}; }

 private:
  ControlAllowed() = default;
};

// Exclusive permission to change one device's clocks and power limit. Restores the previous values when
// released, destroyed or, after a crash, at the next start. docs/leases.md describes the protocol.
//
// The previous value of a control is written to the journal (journal.h) before its first change. Leases on
// one device exclude each other, also between processes.
//
// Most devices do not report locked clocks. A clock that another tool had locked is unlocked after the lease.
//
// Error messages do not name the device. Not thread-safe. The device must outlive the lease. In a forked
// child the object does nothing.
class Lease {
 public:
  // First restores the values that a killed lease left changed. Errors: busy if another process holds
  // the lease (the message names it), unsupported for a device without controls, invalid_input for a damaged
  // journal (see recover()), a value that could not be restored, a journal that cannot be opened.
  static Result<Lease> acquire(Device& device, const LeaseStore& store, ControlAllowed allowed,
                               LeaseObserver* observer = nullptr);

  // Restores the values that a killed lease left changed, if any. Does nothing while a lease is held. For a
  // damaged journal, restores the readable part and saves a copy of the file. Errors: a journal that cannot
  // be opened or was written by a newer Ergon.
  static Result<RestoreReport> recover(Device& device, const LeaseStore& store, ControlAllowed allowed,
                                       LeaseObserver* observer = nullptr);

  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) = delete;
  ~Lease();

  // Errors: invalid_input for an invalid value; a previous value that cannot be read; a journal that cannot
  // be written (the device is not changed then); errors of the device; cancelled after release().
  Result<> lock_clocks(ClockDomain domain, const ClockRange& range);
  Result<> set_power_limit(Watts limit);

  // The changes this lease requested, in order of the first change of each control. The values in effect are
  // Device::clock() and power_limits().
  std::vector<ControlChange> requested() const;

  // What acquire() restored; absent if there was nothing to restore.
  const std::optional<RestoreReport>& recovered() const;

  // Restores all changes and unlocks the journal. A second call returns the same report.
  RestoreReport release();

 private:
  struct State;

  explicit Lease(std::unique_ptr<State> state);
  Result<> set(Control control, const ControlValue& value);

  std::unique_ptr<State> state_;  // null after a move
};

}  // namespace ergon::device
