#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/nvml/abi.h"

namespace ergon::device::nvml {

// NVML functions, each resolved to the newest symbol that this library exports. Null if it exports none: the
// driver is too old, or a future one removed the function.
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

  // Process types: compute, graphics, MPS compute.
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

// The error kind of a return code, for calls on a GPU that was found before.
Errc errc_of(Return status);

// NVML, loaded and initialized for the lifetime of the object. Thread-safe.
class Library {
 public:
  // See find_devices().
  static Result<std::shared_ptr<const Library>> open(const std::string& path);
  // A library that consists of these functions. For tests.
  static std::shared_ptr<const Library> of(const Functions& functions);

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  const Functions& functions() const { return functions_; }
  // True for fake-nvml, whose GPUs are twins.
  bool simulated() const { return simulated_; }
  Result<unsigned> device_count() const;

  // "power of gpu0 (NVIDIA H200): GPU is lost", ending with NVML's error string. Contract: `status` is not
  // success.
  Error error(Return status, std::string_view what) const;

 private:
  Library(void* handle, const Functions& functions);
  Return start() const;
  std::string message_of(Return status) const;

  void* handle_;  // null if not loaded from a file
  Functions functions_;
  bool simulated_ = false;
  bool running_ = false;  // false if nvmlInit found no GPU
};

}  // namespace ergon::device::nvml
