#pragma once

#include "base/result.h"
#include "device/lease/held_devices.h"
#include "options.h"

namespace ergon::app {

// Clocks and power limit to set during a run, and --allow-control.
struct ControlOptions {
  device::RequestedControls requested;
  bool allowed = false;

  void declare(Options& options);
  // Errors: a control without --allow-control.
  Result<> check() const;
  // Holds the requested values on the devices. The first lease starts a guard process that restores them if
  // this process is killed. Errors: those of check(); no state folder; those of HeldDevices::hold().
  Result<device::HeldDevices> hold(const std::vector<device::Device*>& devices) const;
};

}  // namespace ergon::app
