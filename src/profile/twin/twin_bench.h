#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "device/twin/twin_device.h"
#include "meter/recorder.h"
#include "profile/engine.h"
#include "profile/power_meter.h"

namespace ergon::profile {

// Simulated time of a twin; sleeping advances it.
class TwinClock final : public Clock {
 public:
  TwinClock(device::Twin& twin, Timestamp epoch) : twin_(twin), epoch_(epoch) {}

  Instant now() const override { return Instant{} + twin_.now(); }
  Timestamp wall_now() const override { return {epoch_.ns + now().ns}; }
  void sleep_until(Instant due) override {
    if (due > now()) twin_.advance(due - now());
  }

 private:
  device::Twin& twin_;
  Timestamp epoch_;
};

// A simulated GPU as engine and power meter: it runs work, and a recorder reads its simulated sensors.
// Simulated time advances as fast as it is computed.
class TwinBench final : public Engine, public PowerMeter {
 public:
  // `epoch`: wall-clock time at the start of the simulation. Errors: a GPU without a power reading.
  static Result<std::unique_ptr<TwinBench>> open(const device::Specification& gpu, Timestamp epoch,
                                                 std::uint64_t seed = 1);

  const EngineFacts& facts() const override { return facts_; }
  Result<> check(const graph::Network& network, const graph::Content* content,
                 const RunCondition& condition) override;
  std::vector<std::string> warnings(const graph::Network& network,
                                    const RunCondition& condition) const override;
  Result<std::unique_ptr<PreparedWork>> prepare(const graph::Network& network, const RunCondition& condition,
                                                const PrepareOptions& preparation) override;

  std::unique_ptr<EnergyWindow> open() override;
  std::optional<Celsius> temperature() override { return twin_.temperature(); }
  Seconds min_window() const override { return min_window_; }
  Seconds padding() const override { return padding_; }

  Clock& clock() { return clock_; }
  device::Twin& twin() { return twin_; }
  // Locks the core clock, or unlocks it. Errors: a clock that this GPU does not support.
  Result<> hold_clock(std::optional<Hertz> clock);
  // Work from an existing load. Contract: the load was made for this GPU's specification.
  std::unique_ptr<PreparedWork> work(std::shared_ptr<const device::Load> load);
  // Advances time with an idle GPU.
  void rest(Seconds time) { pass(time); }

 private:
  friend class TwinWork;
  friend class TwinWindow;
  TwinBench(const device::Specification& gpu, Timestamp epoch, std::uint64_t seed);
  // Advances time and takes all readings that become due.
  void pass(Seconds time);
  void read_once();

  EngineFacts facts_;
  device::Twin twin_;
  TwinClock clock_;
  device::TwinDevice device_;
  std::unique_ptr<meter::Recorder> recorder_;
  Instant due_;
  Seconds min_window_, padding_;
};

}  // namespace ergon::profile
