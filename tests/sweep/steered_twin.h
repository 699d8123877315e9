#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/twin/catalog.h"
#include "device/twin/twin_device.h"
#include "profile/twin/twin_bench.h"

namespace ergon::test {

// A twin behind a driver interface, with lockable clocks and configurable failures.
class SteeredTwin final : public device::Device, private device::Controls {
 public:
  explicit SteeredTwin(device::Twin& twin) : twin_(twin), readings_(twin, {}) {}

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return readings_.capabilities(); }
  bool simulated() const override { return admits_simulation; }
  Result<Hertz> clock(device::ClockDomain domain) override {
    ++clock_reads;
    if (at_clock_read) {
      if (auto fine = at_clock_read(clock_reads); !fine) return fine.error();
    }
    return readings_.clock(domain);
  }
  Result<std::vector<Hertz>> supported_clocks(device::ClockDomain domain) override {
    return readings_.supported_clocks(domain);
  }
  Result<Celsius> temperature() override {
    if (!tells_heat) return fail(Errc::unsupported, "no thermometer");
    return readings_.temperature();
  }
  Result<device::EventReasons> event_reasons() override {
    if (!tells_reasons) return fail(Errc::unsupported, "no reasons");
    auto reasons = readings_.event_reasons();
    if (reasons) *reasons |= further_reasons;
    return reasons;
  }
  device::Controls* controls(device::LeaseKey) override { return controllable ? this : nullptr; }

  // No clock is locked, as at the start.
  bool is_free() const { return !locked_ && !twin_.locked_clock(); }

  bool controllable = true, admits_simulation = true, tells_heat = true, tells_reasons = true;
  device::EventReasons further_reasons;
  int writes = 0, clock_reads = 0;
  std::function<Result<>(int)> at_clock_read;                          // gets the number of the call, from 1
  std::function<Result<>(const device::ControlValue&, int)> at_write;  // same

 private:
  Result<device::ControlValue> read(device::Control control) override {
    if (control == device::Control::power_limit) return device::ControlValue{.power_limit = twin_.limit()};
    return fail(Errc::unsupported, "locked clocks are not given");
  }
  Result<> write(device::Control, const device::ControlValue& value) override {
    ++writes;
    if (at_write) {
      if (auto fine = at_write(value, writes); !fine) return fine;
    }
    locked_ = value.clocks;
    if (locked_) return twin_.lock_clock(locked_->max);
    twin_.unlock_clock();
    return {};
  }

  device::Twin& twin_;
  device::TwinDevice readings_;
  device::Identity identity_{"gpu0", "GPU-5fb1", "Steered V100", device::DeviceKind::nvml};
  std::optional<device::ClockRange> locked_;
};

// An engine with hooks.
class HookedEngine final : public profile::Engine {
 public:
  explicit HookedEngine(profile::Engine& engine) : engine_(engine) {}

  std::function<Result<>(int)> at_prepare, at_run;  // get the number of the call, from 1
  int prepared = 0, runs = 0;
  std::int64_t iterations = 0;
  bool has_content = false;  // at the last prepare()
  std::optional<profile::EngineFacts> poses_as;

  const profile::EngineFacts& facts() const override { return poses_as ? *poses_as : engine_.facts(); }
  Result<> check(const graph::Network& network, const graph::Content* content,
                 const profile::RunCondition& condition) override {
    return engine_.check(network, content, condition);
  }
  Result<std::unique_ptr<profile::PreparedWork>> prepare(
      const graph::Network& network, const profile::RunCondition& condition,
      const profile::PrepareOptions& preparation) override {
    ++prepared;
    has_content = preparation.content != nullptr;
    if (at_prepare) {
      if (auto fine = at_prepare(prepared); !fine) return fine.error();
    }
    // The twin simulates the cost of a network, not its values.
    profile::PrepareOptions without = preparation;
    without.content = nullptr;
    auto work = engine_.prepare(network, condition, without);
    if (!work) return work.error();
    return std::unique_ptr<profile::PreparedWork>(std::make_unique<Work>(*this, std::move(*work)));
  }

 private:
  class Work final : public profile::PreparedWork {
   public:
    Work(HookedEngine& engine, std::unique_ptr<profile::PreparedWork> work)
        : engine_(engine), work_(std::move(work)) {}
    Result<profile::TimedRun> run(std::int64_t iterations) override {
      ++engine_.runs;
      if (engine_.at_run) {
        if (auto fine = engine_.at_run(engine_.runs); !fine) return fine.error();
      }
      engine_.iterations += iterations;
      return work_->run(iterations);
    }
    Result<std::optional<Seconds>> host_time() override { return work_->host_time(); }
    std::int64_t instances() const override { return work_->instances(); }

   private:
    HookedEngine& engine_;
    std::unique_ptr<profile::PreparedWork> work_;
  };

  profile::Engine& engine_;
};

}  // namespace ergon::test
