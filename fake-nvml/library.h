#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "device/nvml/abi.h"
#include "product.h"
#include "simulation.h"

namespace ergon::fake_nvml {

using device::nvml::DeviceHandle;
using device::nvml::Return;

// The library state of one process: initialization count and simulation. Every call passes the same checks:
// initialized, exported by the driver, not failed by a fault, existing device. Then its body runs, under a
// mutex.
//
// Like the real library, it is not initialized in a forked child.
class Library {
 public:
  // The instance of this process. NVML's interface has no context argument.
  static Library& here();

  Return init();
  Return shutdown();

  // Body: Return(Simulation&).
  template <typename Body>
  Return call(std::string_view function, const Body& body) {
    std::unique_lock lock(mutex_);
    const Return entered = enter(function, std::nullopt, lock);
    return entered == Return::success ? body(*simulation_) : entered;
  }

  // The arguments of the body of a call on a GPU.
  struct GpuCall {
    std::size_t index;
    Gpu& gpu;
    const DeviceSlot& slot;
    const Product& product;
    Simulation& simulation;
    Library& library;
  };
  // Body: Return(const GpuCall&). A call that reads the energy counter takes as long as on the GPU.
  template <typename Body>
  Return call(std::string_view function, DeviceHandle device, const Body& body,
              bool reads_energy_counter = false) {
    std::unique_lock lock(mutex_);
    const auto index = index_of(device);
    const Return entered = enter(function, index, lock, reads_energy_counter);
    if (entered != Return::success) return entered;
    return index ? body(gpu_call_on(*index)) : Return::invalid_argument;
  }

  // The return code that a fault causes for a call; success if no fault is active.
  Return fault_of(std::string_view function, std::optional<std::size_t> gpu) const;
  // The same between calls: uninitialized, or the return code of a fault of the GPU.
  Return state_of(std::string_view function, std::size_t gpu);
  // Time of one read of the energy counter; 0 in manual time.
  Seconds energy_counter_latency(std::size_t gpu) const;
  // Whether a fault makes a field value unsupported.
  bool is_field_missing(const GpuCall& gpu_call, unsigned field) const;
  // A reading after applying faults, in W, J or degrees Celsius; absent if the GPU does not have it.
  std::optional<double> read(const GpuCall& gpu_call, SensorField reading);
  // The power sample buffer, oldest first; absent if the GPU does not have it.
  std::optional<std::vector<device::Twin::PowerUpdate>> samples(const GpuCall& gpu_call);

  // Contract: index < number of devices; inside a call.
  GpuCall gpu_call_on(std::size_t index);
  static DeviceHandle handle_of(std::size_t index);
  std::optional<std::size_t> index_of(DeviceHandle device) const;

  // Last error of the functions of fake_nvml.h and of reading scenarios.
  const std::string& last_error() const { return last_error_; }
  // Converts an error to a return code and stores its message for last_error().
  Return to_return_code(const Error& error);

 private:
  Return enter(std::string_view function, std::optional<std::size_t> gpu, std::unique_lock<std::mutex>& lock,
               bool reads_energy_counter = false);
  // Time that a call takes before it reads.
  Seconds delay_of(std::string_view function, std::optional<std::size_t> gpu,
                   bool reads_energy_counter) const;
  Return open_simulation();
  bool initialized();
  bool is_missing(const GpuCall& gpu_call, SensorField reading) const;
  // Applies faults to a value. `number` is the index of the reading; if absent, reads of this process are
  // counted.
  double with_faults(const GpuCall& gpu_call, SensorField reading, std::int64_t at_ns,
                     std::optional<std::int64_t> number, double value);

  std::mutex mutex_;
  std::int64_t initialized_ = 0;
  pid_t initialized_by_ = 0;
  std::optional<Simulation> simulation_;
  std::vector<Product> products_;
  std::int64_t calls_ = 0;
  std::vector<std::int64_t> calls_on_;  // per device
  std::vector<std::int64_t> reads_;     // per AbsurdReading
  std::string last_error_;
};

}  // namespace ergon::fake_nvml
