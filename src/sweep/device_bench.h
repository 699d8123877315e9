#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "device/lease/lease.h"
#include "profile/condition.h"
#include "profile/engine.h"
#include "profile/plan.h"
#include "profile/power_watch.h"
#include "sweep/bench.h"

namespace ergon::sweep {

// A device of this machine as a bench. Each run that asks for a clock has a lease of its own: the clock is
// locked, the network runs until the device is seen at it, the window opens, and all is put back before the
// row is returned. A run without a clock writes nothing.
//
// What speaks against a row, besides what the meter says (docs/measure.md):
//
//   clock_refused      the driver does not take this clock; nothing was run
//   clock_not_reached  locked, and never seen there; event_reasons has what the device says of it
//   clock_changed      seen there, and elsewhere while the window was open; where none was asked for, seen
//                      at clocks more than 2 % apart, and nothing that the device says explains it
//   clock_unseen       the device does not tell its clock
//   out_of_memory, unsupported, failed    what the engine made of the network
//   no_energy          the meter had nothing to say
//
// The clock is looked at right before the window, behind every segment of it (50 ms, or eight iterations
// where those take longer), and by the meter at its own pace. A change that came and went in between is not
// seen. A device is at a clock if it is within half a step of the clocks around it, or 8 MHz.
//
// A power cap or heat that leaves the clock where it was asked for does not speak against a row unless the
// meter says so; it stands in event_reasons.
class DeviceBench final : public Bench {
 public:
  // What it takes to change the device.
  struct Control {
    device::LeasePlace place;
    device::ControlAllowed allowed;
  };
  struct Settings {
    Seconds time{1};       // a window, at least; longer where the sensor needs it
    Seconds warm_up{0.2};  // before it
    Seconds settle{2};     // that a clock may take to be there
    device::Precision precision = device::Precision::tf32;
    profile::Layout layout = profile::Layout::nchw;
    std::uint64_t seed = 1;
  };

  // Device, engine, watch and clock outlive it. Without a watch there is no energy; without a control, no
  // permission. Runs name their network as `networks` does.
  DeviceBench(device::Device& device, profile::Engine& engine, profile::PowerWatch* watch, Clock& clock,
              std::optional<Control> control, std::vector<profile::Candidate> networks,
              const Settings& settings);

  const Facts& facts() const override { return facts_; }
  Result<std::vector<Hertz>> clocks() override;
  // Errors besides those of Bench: not_found for a network that it was not given. That the device could not
  // be put back is Errc::io, and says what.
  Result<RunRow> run(const Run& run, const std::stop_token& stop) override;

 private:
  class Sighting;
  class Attempt;

  Result<device::Lease> lease();
  // Nothing: the clock is locked. Otherwise the reason that the row has for it.
  Result<std::optional<std::string>> lock(device::Lease& lease, Hertz clock);

  device::Device& device_;
  profile::Engine& engine_;
  profile::PowerWatch* watch_;
  Clock& clock_;
  std::optional<Control> control_;
  std::vector<profile::Candidate> networks_;
  Settings settings_;
  Facts facts_;
};

}  // namespace ergon::sweep
