#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "device/lease/lease.h"
#include "profile/engine.h"
#include "profile/plan.h"
#include "profile/power_meter.h"
#include "profile/run_condition.h"
#include "sweep/run_executor.h"

namespace ergon::sweep {

// Executes runs on a device of this machine. Each run with a clock has its own lease: the clock is locked,
// the network runs until the device reaches the clock, the measurement window opens, and everything is
// restored before the row is returned. A run without a clock changes nothing.
//
// Reasons for an invalid row, in addition to those of the meter (docs/measure.md):
//
//   clock_refused      the driver rejected the clock; nothing was run
//   clock_not_reached  the clock was locked, but never observed; event_reasons has the reasons of the device
//   clock_changed      the clock was reached, but others were observed during the window; with the default
//                      clock: clocks differ by more than 2 %, and no event reason explains it
//   clock_unseen       the device does not report its clock
//   out_of_memory, unsupported, failed    the engine could not run the network
//   no_energy          the meter has no energy for the window
//
// The clock is read right before the window, after every segment of it (50 ms, or eight iterations if those
// take longer), and by the meter at its own rate. A change between two readings is not detected. A device is
// at a clock if it is within half a step of the neighboring clocks (clock_tolerance).
//
// A power cap or thermal slowdown that does not change the clock does not invalidate a row, unless the meter
// reports it; it is listed in event_reasons.
class DeviceExecutor final : public RunExecutor {
 public:
  // Permission to change the device.
  struct Control {
    device::LeaseStore store;
    device::ControlAllowed allowed;
  };
  struct Settings {
    Seconds duration = kDefaultDuration;  // of a window, at least; longer if the sensor requires it
    Seconds warm_up = kDefaultWarmUp;     // before the window
    Seconds settle{2};                    // maximum time to reach a clock
    device::Precision precision = device::Precision::tf32;
    profile::Layout layout = profile::Layout::nchw;
    std::uint64_t seed = 1;
  };

  // Device, engine, meter and clock must outlive the executor. Without a meter there is no energy; without a
  // control, runs with a clock fail with Errc::permission. `networks` are referenced by name.
  DeviceExecutor(device::Device& device, profile::Engine& engine, profile::PowerMeter* meter, Clock& clock,
                 std::optional<Control> control, std::vector<profile::LoadedNetwork> networks,
                 const Settings& settings);

  const DeviceFacts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override;
  // Errors besides those of RunExecutor: not_found for an unknown network; io if the device could not be
  // restored, with the settings that remain.
  Result<RunRow> run(const Run& run, const std::stop_token& stop) override;

 private:
  class ClockObserver;
  class Attempt;

  Result<device::Lease> lease();
  // Absent: the clock is locked. Otherwise the reason for the row.
  Result<std::optional<std::string>> lock(device::Lease& lease, Hertz clock);

  device::Device& device_;
  profile::Engine& engine_;
  profile::PowerMeter* meter_;
  Clock& clock_;
  std::optional<Control> control_;
  std::vector<profile::LoadedNetwork> networks_;
  Settings settings_;
  DeviceFacts facts_;
};

}  // namespace ergon::sweep
