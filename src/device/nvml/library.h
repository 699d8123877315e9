#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/nvml/abi.h"

namespace ergon::device::nvml {

// What NVML can be asked, each under the newest name that this library has it by. Null where it has none: a
// driver that is too old, and in time one that is too new.
struct Functions {
  ErrorString* error_string = nullptr;
  Shutdown* shutdown = nullptr;
  DeviceGetCount_v2* count = nullptr;
  DeviceGetHandleByIndex_v2* handle_by_index = nullptr;

  DeviceGetName* name = nullptr;
  DeviceGetUUID* uuid = nullptr;
  DeviceGetCudaComputeCapability* compute_capability = nullptr;

  DeviceGetPowerUsage* power_usage = nullptr;
  DeviceGetFieldValues* field_values = nullptr;
  DeviceGetSamples* samples = nullptr;
  DeviceGetTotalEnergyConsumption* total_energy = nullptr;
  DeviceGetPowerManagementLimit* power_limit = nullptr;
  DeviceGetPowerManagementDefaultLimit* default_power_limit = nullptr;
  DeviceGetPowerManagementLimitConstraints* power_limit_constraints = nullptr;

  DeviceGetClockInfo* clock = nullptr;
  DeviceGetSupportedMemoryClocks* supported_memory_clocks = nullptr;
  DeviceGetSupportedGraphicsClocks* supported_graphics_clocks = nullptr;
  DeviceGetApplicationsClock* application_clock = nullptr;
  DeviceGetDefaultApplicationsClock* default_application_clock = nullptr;

  DeviceGetTemperature* temperature = nullptr;
  DeviceGetTemperatureV* temperature_versioned = nullptr;
  DeviceGetUtilizationRates* utilization = nullptr;
  DeviceGetMemoryInfo* memory = nullptr;
  DeviceGetMemoryInfo_v2* memory_v2 = nullptr;
  DeviceGetCurrentClocksEventReasons* event_reasons = nullptr;

  // Three kinds of process: computing, drawing, computing through MPS.
  DeviceGetComputeRunningProcesses_v2* processes[3] = {};
  DeviceGetComputeRunningProcesses* processes_v1[3] = {};

  DeviceSetPowerManagementLimit* set_power_limit = nullptr;
  DeviceSetGpuLockedClocks* lock_core_clock = nullptr;
  DeviceResetGpuLockedClocks* unlock_core_clock = nullptr;
  DeviceSetMemoryLockedClocks* lock_memory_clock = nullptr;
  DeviceResetMemoryLockedClocks* unlock_memory_clock = nullptr;
  DeviceSetApplicationsClocks* set_application_clocks = nullptr;
  DeviceResetApplicationsClocks* reset_application_clocks = nullptr;
};

// What an answer is to somebody who asks a GPU that was there.
Errc errc_of(Return answer);

// NVML, loaded and running until the object goes. Any thread may call it.
class Library {
 public:
  // As find_devices() says.
  static Result<std::shared_ptr<const Library>> open(const std::string& path);
  // One that was loaded from nowhere: these functions, as they are.
  static std::shared_ptr<const Library> of(const Functions& functions);

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  const Functions& functions() const { return functions_; }
  // Ergon's own library with NVML's interface, in front of twins.
  bool simulated() const { return simulated_; }
  Result<unsigned> device_count() const;

  // "power of gpu0 (NVIDIA H200): GPU is lost", the end in NVML's own words. Contract: no success.
  Error error(Return answer, std::string_view what) const;

 private:
  Library(void* handle, const Functions& functions);
  Return start() const;
  std::string words(Return answer) const;

  void* handle_;  // null: not loaded
  Functions functions_;
  bool simulated_ = false;
  bool running_ = false;  // not where it refuses to because there is no GPU
};

}  // namespace ergon::device::nvml
