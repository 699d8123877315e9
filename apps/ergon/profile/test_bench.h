#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "device/lease/lease.h"
#include "devices/machine.h"
#include "profile/engine.h"
#include "profile/metered.h"
#include "profile/power_watch.h"
#include "profile/twin/twin_bench.h"
#include "shell.h"

namespace ergon::app {

// A device to profile on, with the engine that runs there and whoever watches its power.
class TestBench {
 public:
  // "cpu": this processor. "gpu0", a number or a UUID: a GPU of this machine, through CUDA, or through the
  // fake driver if it is one of its. Otherwise a twin, by name or .json file. Errors: none of that name,
  // saying what there is; no CUDA, saying what runs instead; no power reading that works.
  struct Wish {
    std::string device;
    bool allow_control = false;
    std::uint64_t seed = 1;
    bool watched = true;        // false: its power is not watched from here
    bool processor_too = true;  // who finds no GPU may take a processor
  };
  static Result<std::unique_ptr<TestBench>> open(const Wish& wish, Shell& shell);

  // What a name means, before anything is opened; a twin if neither.
  static bool is_processor(const std::string& name);
  static bool is_gpu(const std::string& name);

  profile::Engine& engine() { return *engine_; }
  profile::PowerWatch* watch() { return watch_; }  // null: nothing tells of energy
  Clock& clock() { return *clock_; }
  device::Device* gpu() { return gpu_; }  // null: a processor or a twin
  // Where leases on the GPU are journaled. From the first call on somebody stands by who takes them back
  // should this process be killed. Errors: no permission; no folder; nobody who could.
  Result<device::LeasePlace> lease_place();
  // Whether a clock can be held, as far as that is known beforehand. Errors: one that the device does not
  // have.
  Result<> check_clock(std::optional<Hertz> clock);
  // Errors: no permission; a clock that the device does not have.
  Result<> hold_clock(std::optional<Hertz> clock);
  // A clock at once, without waiting for it; a GPU's. The same errors.
  Result<> lock_clock(Hertz clock);
  // Puts back what was changed. Errors: what could not be.
  Result<> release();
  // Processes of others that use the device now.
  std::vector<std::int64_t> strangers() const;
  // Device, driver and engine, for the dataset's sidecar.
  nlohmann::ordered_json json() const;

 private:
  explicit TestBench(const Wish& wish) : wish_(wish) {}
  Result<> open_twin();
  Result<> open_processor(Shell& shell);
  Result<> open_gpu(Shell& shell);
  Result<> open_cuda(Shell& shell, const Result<std::vector<device::Device*>>& selected);
  Result<> lease_gpu();
  Result<> put_back();
  void watch_over(std::vector<device::Device*> devices, Shell& shell);

  Wish wish_;
  std::optional<Machine> machine_;
  device::Device* gpu_ = nullptr;
  std::unique_ptr<profile::TwinBench> twin_;
  std::unique_ptr<profile::Engine> own_engine_;
  std::unique_ptr<profile::MeteredDevices> metered_;
  std::optional<device::LeasePlace> lease_place_;
  std::optional<device::Lease> lease_;

  profile::Engine* engine_ = nullptr;
  profile::PowerWatch* watch_ = nullptr;
  Clock* clock_ = nullptr;
};

}  // namespace ergon::app
