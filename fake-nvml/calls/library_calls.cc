// Initialization, versions, error strings.

#include <fmt/format.h>

#include "call_helpers.h"

namespace ergon::fake_nvml {

namespace {

// The strings of the real library.
const char* words_of(Return result) {
  switch (result) {
    case Return::success:
      return "Success";
    case Return::uninitialized:
      return "Uninitialized";
    case Return::invalid_argument:
      return "Invalid Argument";
    case Return::not_supported:
      return "Not Supported";
    case Return::no_permission:
      return "Insufficient Permissions";
    case Return::already_initialized:
      return "Already Initialized";
    case Return::not_found:
      return "Not Found";
    case Return::insufficient_size:
      return "Insufficient Size";
    case Return::insufficient_power:
      return "Insufficient External Power";
    case Return::driver_not_loaded:
      return "Driver Not Loaded";
    case Return::timeout:
      return "Timeout";
    case Return::irq_issue:
      return "Interrupt Request Issue";
    case Return::library_not_found:
      return "NVML Shared Library Not Found";
    case Return::function_not_found:
      return "Function Not Found";
    case Return::corrupted_inforom:
      return "Corrupted infoROM";
    case Return::gpu_is_lost:
      return "GPU is lost";
    case Return::reset_required:
      return "GPU requires reset";
    case Return::operating_system:
      return "GPU access blocked by the operating system";
    case Return::lib_rm_version_mismatch:
      return "Driver/library version mismatch";
    case Return::in_use:
      return "In use by another client";
    case Return::memory:
      return "Insufficient Memory";
    case Return::no_data:
      return "No data";
    case Return::vgpu_ecc_not_supported:
      return "vGPU ECC not supported";
    case Return::insufficient_resources:
      return "Insufficient Resources";
    case Return::freq_not_supported:
      return "Invalid Frequency";
    case Return::argument_version_mismatch:
      return "Argument version mismatch";
    case Return::deprecated:
      return "Requested functionality has been deprecated";
    case Return::not_ready:
      return "System is not in ready state";
    case Return::gpu_not_found:
      return "No supported GPUs were found";
    case Return::invalid_state:
      return "Resource not in correct state to perform requested operation";
    case Return::reset_type_not_supported:
      return "Reset type is not supported for given device";
    case Return::unknown:
      break;
  }
  return "Unknown Error";
}

Return cuda_version(const char* function, int* version) {
  return Library::here().call(function, [&](Simulation& simulation) {
    if (version == nullptr) return Return::invalid_argument;
    *version = simulation.scenario().cuda;
    return Return::success;
  });
}

}  // namespace

Return nvmlInit() { return Library::here().init(); }
Return nvmlInit_v2() { return Library::here().init(); }
Return nvmlInitWithFlags(unsigned) { return Library::here().init(); }
Return nvmlShutdown() { return Library::here().shutdown(); }

const char* nvmlErrorString(Return result) { return words_of(result); }

Return nvmlSystemGetDriverVersion(char* version, unsigned length) {
  return Library::here().call(__func__, [&](Simulation& simulation) {
    return give_text(simulation.scenario().driver, version, length);
  });
}

// Works before initialization, like the real library, with the default driver version.
Return nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  Scenario scenario;
  Library::here().call(__func__, [&](Simulation& simulation) {
    scenario = simulation.scenario();
    return Return::success;
  });
  return give_text(fmt::format("{}.{}", scenario.cuda / 1000, scenario.driver), version, length);
}

Return nvmlSystemGetCudaDriverVersion(int* version) { return cuda_version(__func__, version); }
Return nvmlSystemGetCudaDriverVersion_v2(int* version) { return cuda_version(__func__, version); }

Return nvmlSystemGetProcessName(unsigned pid, char* name, unsigned length) {
  return Library::here().call(__func__, [&](Simulation&) {
    if (name == nullptr || length == 0) return Return::invalid_argument;
    const auto program = program_of(pid);
    if (!program) return Return::not_found;
    // Long names are truncated without an error.
    return give_text(std::string_view(*program).substr(0, length - 1), name, length);
  });
}

}  // namespace ergon::fake_nvml
