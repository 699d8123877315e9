#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/lease/journal.h"
#include "device/lease/lease_holder.h"
#include "device/lease/lease_value.h"
#include "device/lease/lease_watch.h"

namespace ergon::device {

// A control that is back at its previous value.
struct Restored {
  Control control = Control::power_limit;
  ControlValue value;
};

// One that is not, and why.
struct Unrestored {
  Control control = Control::power_limit;
  ControlValue wanted;
  Error error;
};

// What became of the changes of a lease. Everything empty: there were none.
struct RestoreReport {
  std::vector<Restored> restored;  // in the order it was done
  std::vector<Unrestored> failed;  // these stay in the journal, for the next start
  bool another_boot = false;       // the machine was started since, so its drivers forgot what was set
  std::optional<HeldBy> held;      // by somebody who lives: nothing was done
  std::optional<std::filesystem::path> damaged;  // a copy of a journal that could be read in part only
  std::optional<Error> journal;  // it could not be brought up to date: the next start restores once more

  // Everything is known to be as it was.
  bool complete() const { return failed.empty() && !held && !damaged && !journal; }
};

// "power_limit could not be set back to 700 W: ...".
std::string to_text(const Unrestored& unrestored);

// One control on its way back.
struct Restoration {
  Control control = Control::power_limit;
  ControlValue now, wanted;
};

// Widening before narrowing: clocks are unlocked and limits raised before anything is locked or lowered, so
// that on its way back a device is never held tighter than it is now or than it was before. Otherwise the
// order stays.
std::vector<Restoration> in_restoring_order(std::vector<Restoration> restorations);

// Takes all changes of the journal back, each by itself, and brings the journal up to date: emptied when
// nothing is left. `controls` is null where the device cannot be written. A control that already is what it
// was before is not written.
RestoreReport restore_changes(Controls* controls, Journal& journal, LeaseWatch* watch);

}  // namespace ergon::device
