#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "base/units.h"
#include "device/lease/lease.h"
#include "options.h"
#include "shell.h"

namespace ergon::app {

// Clocks and power limit to set during a run, and --allow-control.
struct ControlOptions {
  std::optional<Hertz> clock, memory_clock;
  std::optional<Watts> power_limit;
  bool allowed = false;

  void declare(Options& options);
  bool requested() const { return clock || memory_clock || power_limit; }
  // Errors: a control without --allow-control.
  Result<> check() const;
};

// Leases that hold the requested clocks and limits for the lifetime of this object.
class HeldDevices {
 public:
  // Errors: no permission; a device that does not support it or is leased by another process. All previous
  // values are then restored.
  static Result<HeldDevices> hold(const std::vector<device::Device*>& devices, const ControlOptions& options);

  // Requested and previous values.
  nlohmann::ordered_json json() const;
  // Restores the previous values. Errors: values that could not be restored.
  Result<> release(Shell& shell);

 private:
  struct Held {
    device::Device* device;
    device::Lease lease;
  };
  std::vector<Held> leases_;
};

}  // namespace ergon::app
