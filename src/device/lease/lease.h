#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/lease/lease_place.h"
#include "device/lease/lease_restore.h"
#include "device/lease/lease_value.h"
#include "device/lease/lease_watch.h"

namespace ergon::device {

// A person's word that devices may be changed: --allow-control, and nothing else.
class ControlAllowed {
 public:
  static ControlAllowed by_user() { return {}; }

 private:
  ControlAllowed() = default;
};

// The only way to change a device, and the way back. Before a control is changed for the first time its
// previous value is on the disk (journal.h); release(), the end of the object or, after a kill, the next
// start puts it back. Two leases on one device exclude each other, also between processes. docs/leases.md has
// the whole story.
//
// Clocks that were locked by somebody else's tool cannot be seen on most devices: they are found unlocked
// after the lease.
//
// Messages of errors do not name the device: who asks knows it. One thread at a time. The device must outlive
// the lease. In a forked process the object does nothing.
class Lease {
 public:
  // First takes back what a killed lease left. Errors: permission while somebody has the lease (the message
  // says who), unsupported for a device without controls, invalid_input for a damaged journal (recover()
  // deals with it), whatever kept the changes of a killed lease from being taken back, and no journal.
  static Result<Lease> acquire(Device& device, const LeasePlace& place, ControlAllowed allowed,
                               LeaseWatch* watch = nullptr);

  // Takes back what a killed lease left, if there is one; a living one is left alone. Of a damaged journal,
  // what can be read is taken back, and a copy of it kept. Errors: a journal that cannot be opened, or is of
  // a later Ergon.
  static Result<RestoreReport> recover(Device& device, const LeasePlace& place, ControlAllowed allowed,
                                       LeaseWatch* watch = nullptr);

  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) = delete;
  ~Lease();

  // Errors: invalid_input for what cannot be a value; a previous value that cannot be read; a journal that
  // cannot be written (the device is not touched then); whatever the device answers; cancelled after the
  // release.
  Result<> lock_clocks(ClockDomain domain, const ClockRange& range);
  Result<> unlock_clocks(ClockDomain domain);
  Result<> set_power_limit(Watts limit);

  // What the lease asked for, in the order it began to. What the device makes of it is Device::clock() and
  // power_limits().
  std::vector<ControlChange> requested() const;

  // What acquire() took back; nothing if there was nothing.
  const std::optional<RestoreReport>& recovered() const;

  // Called once, when the lease ends, however that comes; must not throw.
  void on_release(std::function<void(const RestoreReport&)> listener);

  // Takes all changes back and lets the device go. The second time it only repeats its report.
  RestoreReport release();

 private:
  struct State;

  explicit Lease(std::unique_ptr<State> state);
  Result<> set(Control control, const ControlValue& value);

  std::unique_ptr<State> state_;  // null once moved from
};

}  // namespace ergon::device
