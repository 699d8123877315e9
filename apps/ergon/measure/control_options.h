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

// Clocks and limits to hold while something runs, and the permission to.
struct ControlOptions {
  std::optional<Hertz> clock, memory_clock;
  std::optional<Watts> power_limit;
  bool allowed = false;

  void declare(Options& options);
  bool wanted() const { return clock || memory_clock || power_limit; }
  // Errors: controls without the permission.
  Result<> check() const;
};

// The devices held at what was asked for, until the end of this object.
class HeldDevices {
 public:
  // Errors: no permission, a device that cannot do it or is somebody else's; then all is as it was.
  static Result<HeldDevices> hold(const std::vector<device::Device*>& devices, const ControlOptions& wanted);

  // What was asked for and what was there before, for the document.
  nlohmann::ordered_json json() const;
  // Takes everything back. Errors: what could not be.
  Result<> release(Shell& shell);

 private:
  struct Held {
    device::Device* device;
    device::Lease lease;
  };
  std::vector<Held> held_;
};

}  // namespace ergon::app
