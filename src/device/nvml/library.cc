#include "device/nvml/library.h"

#include <cstdlib>
#include <dlfcn.h>

#include "base/text.h"

namespace ergon::device::nvml {
namespace {

constexpr const char* kDriverLibrary = "libnvidia-ml.so.1";

// A symbol address that converts to any function pointer type.
struct Symbol {
  void* address = nullptr;

  template <typename Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(address);
  }
};

// The first of the names that the library exports.
template <typename... Names>
Symbol find(void* library, Names... names) {
  Symbol symbol;
  ((symbol.address = ::dlsym(library, names)) || ...);
  return symbol;
}

Functions functions_of(void* library) {
  const auto symbol = [library](auto... names) { return find(library, names...); };
  return {
      .error_string = symbol("nvmlErrorString"),
      .shutdown = symbol("nvmlShutdown"),
      .count = symbol("nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"),
      .handle_by_index = symbol("nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"),
      .name = symbol("nvmlDeviceGetName"),
      .uuid = symbol("nvmlDeviceGetUUID"),
      .compute_capability = symbol("nvmlDeviceGetCudaComputeCapability"),
      .power_usage = symbol("nvmlDeviceGetPowerUsage"),
      .field_values = symbol("nvmlDeviceGetFieldValues"),
      .samples = symbol("nvmlDeviceGetSamples"),
      .total_energy = symbol("nvmlDeviceGetTotalEnergyConsumption"),
      .power_limit = symbol("nvmlDeviceGetPowerManagementLimit"),
      .default_power_limit = symbol("nvmlDeviceGetPowerManagementDefaultLimit"),
      .power_limit_constraints = symbol("nvmlDeviceGetPowerManagementLimitConstraints"),
      .clock = symbol("nvmlDeviceGetClockInfo"),
      .supported_memory_clocks = symbol("nvmlDeviceGetSupportedMemoryClocks"),
      .supported_graphics_clocks = symbol("nvmlDeviceGetSupportedGraphicsClocks"),
      .application_clock = symbol("nvmlDeviceGetApplicationsClock"),
      .default_application_clock = symbol("nvmlDeviceGetDefaultApplicationsClock"),
      .temperature = symbol("nvmlDeviceGetTemperature"),
      .temperature_versioned = symbol("nvmlDeviceGetTemperatureV"),
      .utilization = symbol("nvmlDeviceGetUtilizationRates"),
      .memory = symbol("nvmlDeviceGetMemoryInfo"),
      .memory_v2 = symbol("nvmlDeviceGetMemoryInfo_v2"),
      .event_reasons =
          symbol("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"),
      // _v2 before _v3: drivers 535.43 to 535.86 used a larger entry structure for _v3 under the same name.
      // The entries of _v2 are the same in all drivers.
      .processes = {symbol("nvmlDeviceGetComputeRunningProcesses_v2",
                           "nvmlDeviceGetComputeRunningProcesses_v3"),
                    symbol("nvmlDeviceGetGraphicsRunningProcesses_v2",
                           "nvmlDeviceGetGraphicsRunningProcesses_v3"),
                    symbol("nvmlDeviceGetMPSComputeRunningProcesses_v2",
                           "nvmlDeviceGetMPSComputeRunningProcesses_v3")},
      .processes_v1 = {symbol("nvmlDeviceGetComputeRunningProcesses"),
                       symbol("nvmlDeviceGetGraphicsRunningProcesses"),
                       symbol("nvmlDeviceGetMPSComputeRunningProcesses")},
      .set_power_limit = symbol("nvmlDeviceSetPowerManagementLimit"),
      .lock_core_clock = symbol("nvmlDeviceSetGpuLockedClocks"),
      .unlock_core_clock = symbol("nvmlDeviceResetGpuLockedClocks"),
      .lock_memory_clock = symbol("nvmlDeviceSetMemoryLockedClocks"),
      .unlock_memory_clock = symbol("nvmlDeviceResetMemoryLockedClocks"),
      .set_application_clocks = symbol("nvmlDeviceSetApplicationsClocks"),
      .reset_application_clocks = symbol("nvmlDeviceResetApplicationsClocks"),
  };
}

Error not_loadable(const std::string& path) {
  const char* reason = ::dlerror();
  const std::string why = printable(reason != nullptr ? reason : "no reason given", 300);
  if (path == kDriverLibrary) {
    return fail(Errc::not_found, "no NVIDIA driver: {} cannot be loaded ({})", path, why);
  }
  return fail(Errc::not_found, "NVML cannot be loaded from {} ({})", path, why);
}

}  // namespace

Errc errc_of(Return status) {
  switch (status) {
    case Return::not_supported:
    case Return::function_not_found:
    case Return::argument_version_mismatch:
    case Return::deprecated:
    case Return::vgpu_ecc_not_supported:
    case Return::reset_type_not_supported:
      return Errc::unsupported;
    case Return::no_permission:
      return Errc::permission;
    case Return::gpu_is_lost:
    case Return::gpu_not_found:
    case Return::reset_required:
    case Return::uninitialized:
    case Return::driver_not_loaded:
    case Return::library_not_found:
      return Errc::device_lost;
    case Return::not_found:
    case Return::no_data:
      return Errc::not_found;
    case Return::invalid_argument:
    case Return::freq_not_supported:
      return Errc::invalid_input;
    default:
      return Errc::io;
  }
}

Library::Library(void* handle, const Functions& functions) : handle_(handle), functions_(functions) {}

Library::~Library() {
  if (running_ && handle_ != nullptr) functions_.shutdown();
  if (handle_ != nullptr) ::dlclose(handle_);
}

std::shared_ptr<const Library> Library::of(const Functions& functions) {
  std::shared_ptr<Library> library(new Library(nullptr, functions));
  library->running_ = true;
  return library;
}

Return Library::start() const {
  InitWithFlags* const with_flags = find(handle_, "nvmlInitWithFlags");
  Init* const plain = find(handle_, "nvmlInit_v2", "nvmlInit");
  const Return status = with_flags != nullptr ? with_flags(kInitNoGpus) : Return::function_not_found;
  const bool refused = status == Return::function_not_found || status == Return::invalid_argument;
  return refused && plain != nullptr ? plain() : status;
}

Result<std::shared_ptr<const Library>> Library::open(const std::string& path) {
  const char* set = std::getenv("ERGON_NVML");
  const std::string default_path = set != nullptr && *set != '\0' ? set : kDriverLibrary;
  const std::string& chosen = path.empty() ? default_path : path;
  void* handle = ::dlopen(chosen.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return not_loadable(chosen);

  const std::shared_ptr<Library> library(new Library(handle, functions_of(handle)));
  library->simulated_ = ::dlsym(handle, "ergon_fake_nvml_version") != nullptr;
  const Functions& nvml = library->functions_;
  if (nvml.count == nullptr || nvml.handle_by_index == nullptr || nvml.shutdown == nullptr) {
    return fail(Errc::invalid_input, "{} is not NVML: it does not export nvmlDeviceGetCount", chosen);
  }
  const Return status = library->start();
  switch (status) {
    case Return::success:
      library->running_ = true;
      break;
    case Return::gpu_not_found:
    case Return::not_found:
      break;
    case Return::driver_not_loaded:
    case Return::library_not_found:
      return fail(Errc::not_found, "no NVIDIA driver is running: {} reports \"{}\"", chosen,
                  library->message_of(status));
    default:
      return library->error(status, fmt::format("starting {}", chosen));
  }
  return std::shared_ptr<const Library>(library);
}

Result<unsigned> Library::device_count() const {
  unsigned count = 0;
  if (!running_) return count;
  const Return status = functions_.count(&count);
  if (status != Return::success) return error(status, "number of GPUs");
  return count;
}

std::string Library::message_of(Return status) const {
  if (status == Return::function_not_found) return "not supported by this driver";
  const char* text = functions_.error_string != nullptr ? functions_.error_string(status) : nullptr;
  return text != nullptr ? printable(text, 100) : fmt::format("NVML error {}", static_cast<int>(status));
}

Error Library::error(Return status, std::string_view what) const {
  ERGON_EXPECTS(status != Return::success);
  return fail(errc_of(status), "{}: {}", what, message_of(status));
}

}  // namespace ergon::device::nvml
