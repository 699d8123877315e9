#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/lease/journal.h"
#include "device/lease/lease_holder.h"
#include "device/lease/lease_observer.h"
#include "device/lease/lease_value.h"

namespace ergon::device {

// A control that has its previous value again.
struct RestoredControl {
  Control control = Control::power_limit;
  ControlValue value;
};

// A control that could not be restored.
struct RestoreFailure {
  Control control = Control::power_limit;
  ControlValue target;
  Error error;
};

// Outcome of restoring the changes of a lease. All members are empty if there were no changes.
struct RestoreReport {
  std::vector<RestoredControl> restored;         // in order of restoration
  std::vector<RestoreFailure> failed;            // stay in the journal for the next start
  bool another_boot = false;                     // the machine was rebooted since, which reset the drivers
  std::optional<HeldBy> held;                    // a running process holds the lease; nothing was done
  std::optional<std::filesystem::path> damaged;  // copy of a journal that was only partly readable
  std::optional<Error> journal;  // the journal could not be updated: the next start restores again

  // All previous values are known to be restored.
  bool complete() const { return failed.empty() && !held && !damaged && !journal; }
};

// "power_limit could not be restored to 700 W: ...".
std::string to_text(const RestoreFailure& failure);

// One control to restore.
struct Restoration {
  Control control = Control::power_limit;
  ControlValue current, target;
};

// Sorts by widening before narrowing: clocks are unlocked and limits raised before clocks are locked or
// limits lowered, so that the device is never restricted more than now or than before the lease. Stable.
std::vector<Restoration> restore_order(std::vector<Restoration> restorations);

// Restores all changes of the journal, each independently, and updates the journal; clears it when nothing is
// left. `controls` is null for a device without controls. A control that already has its previous value is
// not written.
RestoreReport restore_changes(Controls* controls, Journal& journal, LeaseObserver* observer);

}  // namespace ergon::device
