#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/notify.h"
#include "base/result.h"
#include "base/units.h"
#include "device/lease/lease.h"

namespace ergon::device {

// Clocks and power limit to hold on devices; absent ones stay as they are.
struct RequestedControls {
  std::optional<Hertz> core_clock, memory_clock;
  std::optional<Watts> power_limit;

  bool any() const { return core_clock || memory_clock || power_limit; }
};

// Leases that hold the requested clocks and limits of several devices for the lifetime of this object.
class HeldDevices {
 public:
  // Nothing is held if nothing is requested. Processors are skipped, because they have no controls. The
  // devices outlive this object. Errors: a device that does not support a value or is leased by another
  // process; no device with controls. All previous values are then restored.
  static Result<HeldDevices> hold(const std::vector<Device*>& devices, const RequestedControls& requested,
                                  const LeaseStore& store, ControlAllowed allowed);
  HeldDevices() = default;

  struct Change {
    std::string device;  // its id
    ControlChange change;
  };
  std::vector<Change> changes() const;

  // Restores the previous values. Errors: the first value that could not be restored; further ones are
  // reported to `notify`.
  Result<> release(const Notify& notify);

 private:
  struct Held {
    Device* device;
    Lease lease;
  };
  std::vector<Held> leases_;
};

}  // namespace ergon::device
