#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "base/result.h"
#include "meter/measurement.h"

namespace ergon::profile {

// A time span whose energy is measured.
class EnergyWindow {
 public:
  virtual ~EnergyWindow() = default;
  // Ends the window.
  virtual void close() = 0;
  // Waits until the sensors have covered the window. Contract: called once, after close().
  virtual Result<meter::Measurement> measurement(const std::stop_token& stop) = 0;
};

// Measures the energy of a device: real devices (MeteredDevices) or a twin (TwinBench).
class PowerMeter {
 public:
  virtual ~PowerMeter() = default;
  // Contract: one window is open at a time.
  virtual std::unique_ptr<EnergyWindow> open() = 0;
  // Current temperature; empty if it cannot be read.
  virtual std::optional<Celsius> temperature() = 0;
  // Shortest window that the sensor can measure.
  virtual Seconds min_window() const = 0;
  // Readings average over this time. Work must run for this long before and after a window, so that readings
  // at its edges do not include idle power.
  virtual Seconds padding() const = 0;
};

}  // namespace ergon::profile
