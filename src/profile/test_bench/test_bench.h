#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "base/notify.h"
#include "base/result.h"
#include "device/lease/lease.h"
#include "device/machine/machine.h"
#include "profile/engine.h"
#include "profile/metered.h"
#include "profile/power_meter.h"
#include "profile/twin/twin_bench.h"

namespace ergon::profile {

// A device with its engine and its power meter.
class TestBench {
 public:
  // `device`: "cpu" for this processor; "gpu0", a number or a UUID for a GPU, through CUDA or the fake
  // driver; otherwise a twin, by name or .json file. Errors: unknown_name; no CUDA, naming alternatives.
  struct Settings {
    std::string device;
    bool allow_control = false;
    std::uint64_t seed = 1;
    bool measure_energy = true;  // false: the power is not read
    bool processor_too = true;   // suggest --device cpu if there is no GPU
  };
  // What the bench runs on.
  struct Host {
    Clock& clock;
    std::stop_token stop;
    Notify notify;
  };
  static Result<std::unique_ptr<TestBench>> open(const Settings& settings, const Host& host);

  Engine& engine() { return *engine_; }
  PowerMeter* power_meter() { return power_meter_; }  // null: energy is not measured
  Clock& clock() { return *clock_; }
  device::Device* gpu() { return gpu_; }  // null: a processor or a twin
  // The journal of leases. The first call starts a guard process that restores clocks if this process is
  // killed. Errors: no --allow-control; no state folder; the guard cannot be started.
  Result<device::LeaseStore> lease_store();
  // Checks a clock before the measurement. Errors: a clock that the device does not support.
  Result<> check_clock(std::optional<Hertz> clock);
  // Locks the core clock, or restores the previous state, and waits until it takes effect. Errors: no
  // --allow-control; a clock that the device does not support.
  Result<> hold_clock(std::optional<Hertz> clock);
  // Locks the core clock of a GPU without waiting. Same errors.
  Result<> lock_clock(Hertz clock);
  // Restores the previous clocks. Errors: values that could not be restored.
  Result<> release();
  // PIDs on the device, except this process and its descendants.
  std::vector<std::int64_t> other_processes() const;
  // Waits while other processes use the device. Errors: cancelled.
  Result<> wait_until_idle(const Host& host) const;
  // Device, driver and engine, for provenance.json.
  nlohmann::ordered_json json() const;

 private:
  explicit TestBench(const Settings& settings) : settings_(settings) {}
  Result<> open_twin();
  Result<> open_processor(const Host& host);
  Result<> open_gpu(const Host& host);
  Result<> open_cuda(const Host& host, const Result<std::vector<device::Device*>>& selected);
  Result<> lease_gpu();
  Result<> restore();
  void start_meter(std::vector<device::Device*> devices, const Host& host);

  Settings settings_;
  std::optional<device::Machine> machine_;
  device::Device* gpu_ = nullptr;
  std::unique_ptr<TwinBench> twin_;
  std::unique_ptr<Engine> own_engine_;
  std::unique_ptr<MeteredDevices> metered_;
  std::optional<device::LeaseStore> lease_store_;
  std::optional<device::Lease> lease_;

  Engine* engine_ = nullptr;
  PowerMeter* power_meter_ = nullptr;
  Clock* clock_ = nullptr;
};

}  // namespace ergon::profile
