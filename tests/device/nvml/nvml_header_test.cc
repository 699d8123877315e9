// Checks our declarations of NVML's ABI against the vendor's header, if CMake finds one. The compiler checks
// everything; the test only reports whether that happened.

#include <gtest/gtest.h>

#if __has_include(<nvml.h>)
#define NVML_NO_UNVERSIONED_FUNC_DEFS  // declares the older functions under their own names
#include <nvml.h>
#endif

#if defined(NVML_API_VERSION) && NVML_API_VERSION >= 13

#include <cstddef>
#include <type_traits>

#include "device/nvml/abi.h"

namespace ergon::device::nvml {
namespace {

// NOLINTBEGIN(cppcoreguidelines-macro-usage): names and offsets need macros.
#define SAME_VALUE(ours, theirs) static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs))
#define SAME_SIZE(ours, theirs) \
  static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs))
#define SAME_MEMBER(ours, member, theirs, their_member)                     \
  static_assert(offsetof(ours, member) == offsetof(theirs, their_member) && \
                sizeof(ours::member) == sizeof(theirs::their_member))

// Two functions have the same calling convention: equal numbers of parameters, each passed in the same way.
template <typename A, typename B>
constexpr bool kPassedAlike =
    sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B>&& std::is_floating_point_v<A> ==
                                  std::is_floating_point_v<B>;
template <typename Ours, typename Theirs>
struct SameCall : std::false_type {};
template <typename R, typename S, typename... A, typename... B>
requires(sizeof...(A) == sizeof...(B)) struct SameCall<R(A...), S(B...)>
    : std::bool_constant<kPassedAlike<R, S> && (kPassedAlike<A, B> && ...)> {
};
#define SAME_CALL(name) static_assert(SameCall<name, decltype(::nvml##name)>::value)
// NOLINTEND(cppcoreguidelines-macro-usage)

SAME_SIZE(Return, nvmlReturn_t);
SAME_VALUE(Return::success, NVML_SUCCESS);
SAME_VALUE(Return::uninitialized, NVML_ERROR_UNINITIALIZED);
SAME_VALUE(Return::invalid_argument, NVML_ERROR_INVALID_ARGUMENT);
SAME_VALUE(Return::not_supported, NVML_ERROR_NOT_SUPPORTED);
SAME_VALUE(Return::no_permission, NVML_ERROR_NO_PERMISSION);
SAME_VALUE(Return::already_initialized, NVML_ERROR_ALREADY_INITIALIZED);
SAME_VALUE(Return::not_found, NVML_ERROR_NOT_FOUND);
SAME_VALUE(Return::insufficient_size, NVML_ERROR_INSUFFICIENT_SIZE);
SAME_VALUE(Return::insufficient_power, NVML_ERROR_INSUFFICIENT_POWER);
SAME_VALUE(Return::driver_not_loaded, NVML_ERROR_DRIVER_NOT_LOADED);
SAME_VALUE(Return::timeout, NVML_ERROR_TIMEOUT);
SAME_VALUE(Return::irq_issue, NVML_ERROR_IRQ_ISSUE);
SAME_VALUE(Return::library_not_found, NVML_ERROR_LIBRARY_NOT_FOUND);
SAME_VALUE(Return::function_not_found, NVML_ERROR_FUNCTION_NOT_FOUND);
SAME_VALUE(Return::corrupted_inforom, NVML_ERROR_CORRUPTED_INFOROM);
SAME_VALUE(Return::gpu_is_lost, NVML_ERROR_GPU_IS_LOST);
SAME_VALUE(Return::reset_required, NVML_ERROR_RESET_REQUIRED);
SAME_VALUE(Return::operating_system, NVML_ERROR_OPERATING_SYSTEM);
SAME_VALUE(Return::lib_rm_version_mismatch, NVML_ERROR_LIB_RM_VERSION_MISMATCH);
SAME_VALUE(Return::in_use, NVML_ERROR_IN_USE);
SAME_VALUE(Return::memory, NVML_ERROR_MEMORY);
SAME_VALUE(Return::no_data, NVML_ERROR_NO_DATA);
SAME_VALUE(Return::vgpu_ecc_not_supported, NVML_ERROR_VGPU_ECC_NOT_SUPPORTED);
SAME_VALUE(Return::insufficient_resources, NVML_ERROR_INSUFFICIENT_RESOURCES);
SAME_VALUE(Return::freq_not_supported, NVML_ERROR_FREQ_NOT_SUPPORTED);
SAME_VALUE(Return::argument_version_mismatch, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
SAME_VALUE(Return::deprecated, NVML_ERROR_DEPRECATED);
SAME_VALUE(Return::not_ready, NVML_ERROR_NOT_READY);
SAME_VALUE(Return::gpu_not_found, NVML_ERROR_GPU_NOT_FOUND);
SAME_VALUE(Return::invalid_state, NVML_ERROR_INVALID_STATE);
SAME_VALUE(Return::reset_type_not_supported, NVML_ERROR_RESET_TYPE_NOT_SUPPORTED);
SAME_VALUE(Return::unknown, NVML_ERROR_UNKNOWN);

SAME_SIZE(EnableState, nvmlEnableState_t);
SAME_VALUE(EnableState::disabled, NVML_FEATURE_DISABLED);
SAME_VALUE(EnableState::enabled, NVML_FEATURE_ENABLED);

SAME_SIZE(Brand, nvmlBrandType_t);
SAME_VALUE(Brand::unknown, NVML_BRAND_UNKNOWN);
SAME_VALUE(Brand::quadro, NVML_BRAND_QUADRO);
SAME_VALUE(Brand::tesla, NVML_BRAND_TESLA);
SAME_VALUE(Brand::nvs, NVML_BRAND_NVS);
SAME_VALUE(Brand::grid, NVML_BRAND_GRID);
SAME_VALUE(Brand::geforce, NVML_BRAND_GEFORCE);
SAME_VALUE(Brand::titan, NVML_BRAND_TITAN);
SAME_VALUE(Brand::quadro_rtx, NVML_BRAND_QUADRO_RTX);
SAME_VALUE(Brand::nvidia_rtx, NVML_BRAND_NVIDIA_RTX);
SAME_VALUE(Brand::nvidia, NVML_BRAND_NVIDIA);
SAME_VALUE(Brand::geforce_rtx, NVML_BRAND_GEFORCE_RTX);
SAME_VALUE(Brand::titan_rtx, NVML_BRAND_TITAN_RTX);

SAME_SIZE(Architecture, nvmlDeviceArchitecture_t);
SAME_VALUE(Architecture::kepler, NVML_DEVICE_ARCH_KEPLER);
SAME_VALUE(Architecture::maxwell, NVML_DEVICE_ARCH_MAXWELL);
SAME_VALUE(Architecture::pascal, NVML_DEVICE_ARCH_PASCAL);
SAME_VALUE(Architecture::volta, NVML_DEVICE_ARCH_VOLTA);
SAME_VALUE(Architecture::turing, NVML_DEVICE_ARCH_TURING);
SAME_VALUE(Architecture::ampere, NVML_DEVICE_ARCH_AMPERE);
SAME_VALUE(Architecture::ada, NVML_DEVICE_ARCH_ADA);
SAME_VALUE(Architecture::hopper, NVML_DEVICE_ARCH_HOPPER);
SAME_VALUE(Architecture::blackwell, NVML_DEVICE_ARCH_BLACKWELL);
SAME_VALUE(Architecture::unknown, NVML_DEVICE_ARCH_UNKNOWN);

SAME_SIZE(ComputeMode, nvmlComputeMode_t);
SAME_VALUE(ComputeMode::default_mode, NVML_COMPUTEMODE_DEFAULT);
SAME_VALUE(ComputeMode::exclusive_thread, NVML_COMPUTEMODE_EXCLUSIVE_THREAD);
SAME_VALUE(ComputeMode::prohibited, NVML_COMPUTEMODE_PROHIBITED);
SAME_VALUE(ComputeMode::exclusive_process, NVML_COMPUTEMODE_EXCLUSIVE_PROCESS);

SAME_SIZE(ClockType, nvmlClockType_t);
SAME_VALUE(ClockType::graphics, NVML_CLOCK_GRAPHICS);
SAME_VALUE(ClockType::sm, NVML_CLOCK_SM);
SAME_VALUE(ClockType::memory, NVML_CLOCK_MEM);
SAME_VALUE(ClockType::video, NVML_CLOCK_VIDEO);

SAME_SIZE(ClockId, nvmlClockId_t);
SAME_VALUE(ClockId::current, NVML_CLOCK_ID_CURRENT);
SAME_VALUE(ClockId::application_target, NVML_CLOCK_ID_APP_CLOCK_TARGET);
SAME_VALUE(ClockId::application_default, NVML_CLOCK_ID_APP_CLOCK_DEFAULT);
SAME_VALUE(ClockId::customer_boost_max, NVML_CLOCK_ID_CUSTOMER_BOOST_MAX);

SAME_SIZE(TemperatureSensor, nvmlTemperatureSensors_t);
SAME_VALUE(TemperatureSensor::gpu, NVML_TEMPERATURE_GPU);

SAME_SIZE(TemperatureThreshold, nvmlTemperatureThresholds_t);
SAME_VALUE(TemperatureThreshold::shutdown, NVML_TEMPERATURE_THRESHOLD_SHUTDOWN);
SAME_VALUE(TemperatureThreshold::slowdown, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
SAME_VALUE(TemperatureThreshold::memory_max, NVML_TEMPERATURE_THRESHOLD_MEM_MAX);
SAME_VALUE(TemperatureThreshold::gpu_max, NVML_TEMPERATURE_THRESHOLD_GPU_MAX);
SAME_VALUE(TemperatureThreshold::acoustic_min, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN);
SAME_VALUE(TemperatureThreshold::acoustic_current, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR);
SAME_VALUE(TemperatureThreshold::acoustic_max, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX);
SAME_VALUE(TemperatureThreshold::gps_current, NVML_TEMPERATURE_THRESHOLD_GPS_CURR);

SAME_SIZE(PerformanceState, nvmlPstates_t);
SAME_VALUE(PerformanceState::p0, NVML_PSTATE_0);
SAME_VALUE(PerformanceState::p8, NVML_PSTATE_8);
SAME_VALUE(PerformanceState::p15, NVML_PSTATE_15);
SAME_VALUE(PerformanceState::unknown, NVML_PSTATE_UNKNOWN);

SAME_SIZE(PowerSource, nvmlPowerSource_t);
SAME_VALUE(PowerSource::mains, NVML_POWER_SOURCE_AC);
SAME_VALUE(PowerSource::battery, NVML_POWER_SOURCE_BATTERY);
SAME_VALUE(PowerSource::undersized, NVML_POWER_SOURCE_UNDERSIZED);

SAME_SIZE(PcieCounter, nvmlPcieUtilCounter_t);
SAME_VALUE(PcieCounter::sent_kb_per_s, NVML_PCIE_UTIL_TX_BYTES);
SAME_VALUE(PcieCounter::received_kb_per_s, NVML_PCIE_UTIL_RX_BYTES);

SAME_SIZE(ValueType, nvmlValueType_t);
SAME_VALUE(ValueType::float64, NVML_VALUE_TYPE_DOUBLE);
SAME_VALUE(ValueType::uint32, NVML_VALUE_TYPE_UNSIGNED_INT);
SAME_VALUE(ValueType::unsigned_long, NVML_VALUE_TYPE_UNSIGNED_LONG);
SAME_VALUE(ValueType::uint64, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
SAME_VALUE(ValueType::int64, NVML_VALUE_TYPE_SIGNED_LONG_LONG);
SAME_VALUE(ValueType::int32, NVML_VALUE_TYPE_SIGNED_INT);
SAME_VALUE(ValueType::uint16, NVML_VALUE_TYPE_UNSIGNED_SHORT);

SAME_SIZE(SamplingType, nvmlSamplingType_t);
SAME_VALUE(SamplingType::total_power, NVML_TOTAL_POWER_SAMPLES);
SAME_VALUE(SamplingType::gpu_utilization, NVML_GPU_UTILIZATION_SAMPLES);
SAME_VALUE(SamplingType::memory_utilization, NVML_MEMORY_UTILIZATION_SAMPLES);
SAME_VALUE(SamplingType::encoder_utilization, NVML_ENC_UTILIZATION_SAMPLES);
SAME_VALUE(SamplingType::decoder_utilization, NVML_DEC_UTILIZATION_SAMPLES);
SAME_VALUE(SamplingType::processor_clock, NVML_PROCESSOR_CLK_SAMPLES);
SAME_VALUE(SamplingType::memory_clock, NVML_MEMORY_CLK_SAMPLES);
SAME_VALUE(SamplingType::module_power, NVML_MODULE_POWER_SAMPLES);
SAME_VALUE(SamplingType::jpeg_utilization, NVML_JPG_UTILIZATION_SAMPLES);
SAME_VALUE(SamplingType::ofa_utilization, NVML_OFA_UTILIZATION_SAMPLES);

SAME_SIZE(PerfPolicy, nvmlPerfPolicyType_t);
SAME_VALUE(PerfPolicy::power, NVML_PERF_POLICY_POWER);
SAME_VALUE(PerfPolicy::thermal, NVML_PERF_POLICY_THERMAL);
SAME_VALUE(PerfPolicy::sync_boost, NVML_PERF_POLICY_SYNC_BOOST);
SAME_VALUE(PerfPolicy::board_limit, NVML_PERF_POLICY_BOARD_LIMIT);
SAME_VALUE(PerfPolicy::low_utilization, NVML_PERF_POLICY_LOW_UTILIZATION);
SAME_VALUE(PerfPolicy::reliability, NVML_PERF_POLICY_RELIABILITY);
SAME_VALUE(PerfPolicy::total_app_clocks, NVML_PERF_POLICY_TOTAL_APP_CLOCKS);
SAME_VALUE(PerfPolicy::total_base_clocks, NVML_PERF_POLICY_TOTAL_BASE_CLOCKS);

SAME_SIZE(RestrictedApi, nvmlRestrictedAPI_t);
SAME_VALUE(RestrictedApi::set_application_clocks, NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS);
SAME_VALUE(RestrictedApi::set_auto_boosted_clocks, NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS);

SAME_SIZE(TopologyLevel, nvmlGpuTopologyLevel_t);
SAME_VALUE(TopologyLevel::internal, NVML_TOPOLOGY_INTERNAL);
SAME_VALUE(TopologyLevel::single, NVML_TOPOLOGY_SINGLE);
SAME_VALUE(TopologyLevel::multiple, NVML_TOPOLOGY_MULTIPLE);
SAME_VALUE(TopologyLevel::hostbridge, NVML_TOPOLOGY_HOSTBRIDGE);
SAME_VALUE(TopologyLevel::node, NVML_TOPOLOGY_NODE);
SAME_VALUE(TopologyLevel::system, NVML_TOPOLOGY_SYSTEM);

SAME_VALUE(kInitNoGpus, NVML_INIT_FLAG_NO_GPUS);
SAME_VALUE(kInitNoAttach, NVML_INIT_FLAG_NO_ATTACH);
SAME_VALUE(kDriverVersionSize, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE);
SAME_VALUE(kNvmlVersionSize, NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE);
SAME_VALUE(kNameSize, NVML_DEVICE_NAME_V2_BUFFER_SIZE);
SAME_VALUE(kUuidSize, NVML_DEVICE_UUID_V2_BUFFER_SIZE);
SAME_VALUE(kSerialSize, NVML_DEVICE_SERIAL_BUFFER_SIZE);
SAME_VALUE(kVbiosVersionSize, NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE);
SAME_VALUE(kPartNumberSize, NVML_DEVICE_PART_NUMBER_BUFFER_SIZE);
SAME_VALUE(kPciBusIdSize, NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE);
SAME_VALUE(kPciBusIdLegacySize, NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE);
SAME_VALUE(kNotAvailable64, static_cast<unsigned long long>(NVML_VALUE_NOT_AVAILABLE));
SAME_VALUE(kNotAvailable32, static_cast<unsigned>(NVML_VALUE_NOT_AVAILABLE));

SAME_VALUE(event_reason::kGpuIdle, nvmlClocksEventReasonGpuIdle);
SAME_VALUE(event_reason::kApplicationsClocksSetting, nvmlClocksEventReasonApplicationsClocksSetting);
SAME_VALUE(event_reason::kSwPowerCap, nvmlClocksEventReasonSwPowerCap);
SAME_VALUE(event_reason::kHwSlowdown, nvmlClocksThrottleReasonHwSlowdown);
SAME_VALUE(event_reason::kSyncBoost, nvmlClocksEventReasonSyncBoost);
SAME_VALUE(event_reason::kSwThermalSlowdown, nvmlClocksEventReasonSwThermalSlowdown);
SAME_VALUE(event_reason::kHwThermalSlowdown, nvmlClocksThrottleReasonHwThermalSlowdown);
SAME_VALUE(event_reason::kHwPowerBrakeSlowdown, nvmlClocksThrottleReasonHwPowerBrakeSlowdown);
SAME_VALUE(event_reason::kDisplayClockSetting, nvmlClocksEventReasonDisplayClockSetting);
SAME_VALUE(event_reason::kAll, nvmlClocksEventReasonAll);

SAME_VALUE(field::kEccCurrent, NVML_FI_DEV_ECC_CURRENT);
SAME_VALUE(field::kEccPending, NVML_FI_DEV_ECC_PENDING);
SAME_VALUE(field::kPerfPolicyPower, NVML_FI_DEV_PERF_POLICY_POWER);
SAME_VALUE(field::kPerfPolicyThermal, NVML_FI_DEV_PERF_POLICY_THERMAL);
SAME_VALUE(field::kMemoryTemperature, NVML_FI_DEV_MEMORY_TEMP);
SAME_VALUE(field::kTotalEnergy, NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION);
SAME_VALUE(field::kNvlinkLinkCount, NVML_FI_DEV_NVLINK_LINK_COUNT);
SAME_VALUE(field::kPcieReplayCounter, NVML_FI_DEV_PCIE_REPLAY_COUNTER);
SAME_VALUE(field::kPowerAverage, NVML_FI_DEV_POWER_AVERAGE);
SAME_VALUE(field::kPowerInstant, NVML_FI_DEV_POWER_INSTANT);
SAME_VALUE(field::kPowerMinLimit, NVML_FI_DEV_POWER_MIN_LIMIT);
SAME_VALUE(field::kPowerMaxLimit, NVML_FI_DEV_POWER_MAX_LIMIT);
SAME_VALUE(field::kPowerDefaultLimit, NVML_FI_DEV_POWER_DEFAULT_LIMIT);
SAME_VALUE(field::kPowerCurrentLimit, NVML_FI_DEV_POWER_CURRENT_LIMIT);
SAME_VALUE(field::kPowerRequestedLimit, NVML_FI_DEV_POWER_REQUESTED_LIMIT);
SAME_VALUE(field::kEnergy, NVML_FI_DEV_ENERGY);
SAME_VALUE(field::kShutdownMargin, NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT);
SAME_VALUE(field::kSlowdownMargin, NVML_FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT);
SAME_VALUE(field::kMemoryMaxMargin, NVML_FI_DEV_TEMPERATURE_MEM_MAX_TLIMIT);
SAME_VALUE(field::kGpuMaxMargin, NVML_FI_DEV_TEMPERATURE_GPU_MAX_TLIMIT);
SAME_VALUE(field::kSwThermalSlowdown, NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN);
SAME_VALUE(field::kHwThermalSlowdown, NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN);
SAME_VALUE(field::kHwPowerBrake, NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN);
static_assert(field::kEnd <= NVML_FI_MAX);
SAME_VALUE(field::kScopeGpu, NVML_POWER_SCOPE_GPU);
SAME_VALUE(field::kScopeModule, NVML_POWER_SCOPE_MODULE);
SAME_VALUE(field::kScopeMemory, NVML_POWER_SCOPE_MEMORY);

SAME_SIZE(PciInfo, nvmlPciInfo_t);
SAME_MEMBER(PciInfo, bus_id_legacy, nvmlPciInfo_t, busIdLegacy);
SAME_MEMBER(PciInfo, domain, nvmlPciInfo_t, domain);
SAME_MEMBER(PciInfo, bus, nvmlPciInfo_t, bus);
SAME_MEMBER(PciInfo, device, nvmlPciInfo_t, device);
SAME_MEMBER(PciInfo, device_id, nvmlPciInfo_t, pciDeviceId);
SAME_MEMBER(PciInfo, subsystem_id, nvmlPciInfo_t, pciSubSystemId);
SAME_MEMBER(PciInfo, bus_id, nvmlPciInfo_t, busId);

SAME_SIZE(Utilization, nvmlUtilization_t);
SAME_MEMBER(Utilization, gpu, nvmlUtilization_t, gpu);
SAME_MEMBER(Utilization, memory, nvmlUtilization_t, memory);

SAME_SIZE(Memory, nvmlMemory_t);
SAME_MEMBER(Memory, total, nvmlMemory_t, total);
SAME_MEMBER(Memory, free, nvmlMemory_t, free);
SAME_MEMBER(Memory, used, nvmlMemory_t, used);

SAME_SIZE(MemoryV2, nvmlMemory_v2_t);
SAME_VALUE(version_of<MemoryV2>(2), nvmlMemory_v2);
SAME_MEMBER(MemoryV2, version, nvmlMemory_v2_t, version);
SAME_MEMBER(MemoryV2, total, nvmlMemory_v2_t, total);
SAME_MEMBER(MemoryV2, reserved, nvmlMemory_v2_t, reserved);
SAME_MEMBER(MemoryV2, free, nvmlMemory_v2_t, free);
SAME_MEMBER(MemoryV2, used, nvmlMemory_v2_t, used);

SAME_SIZE(Bar1Memory, nvmlBAR1Memory_t);
SAME_MEMBER(Bar1Memory, total, nvmlBAR1Memory_t, bar1Total);
SAME_MEMBER(Bar1Memory, free, nvmlBAR1Memory_t, bar1Free);
SAME_MEMBER(Bar1Memory, used, nvmlBAR1Memory_t, bar1Used);

SAME_SIZE(ProcessInfoV1, nvmlProcessInfo_v1_t);
SAME_MEMBER(ProcessInfoV1, pid, nvmlProcessInfo_v1_t, pid);
SAME_MEMBER(ProcessInfoV1, used_gpu_memory, nvmlProcessInfo_v1_t, usedGpuMemory);

SAME_SIZE(ProcessInfo, nvmlProcessInfo_v2_t);
SAME_SIZE(ProcessInfo, nvmlProcessInfo_t);
SAME_MEMBER(ProcessInfo, pid, nvmlProcessInfo_v2_t, pid);
SAME_MEMBER(ProcessInfo, used_gpu_memory, nvmlProcessInfo_v2_t, usedGpuMemory);
SAME_MEMBER(ProcessInfo, gpu_instance, nvmlProcessInfo_v2_t, gpuInstanceId);
SAME_MEMBER(ProcessInfo, compute_instance, nvmlProcessInfo_v2_t, computeInstanceId);

SAME_SIZE(ProcessUtilizationSample, nvmlProcessUtilizationSample_t);
SAME_MEMBER(ProcessUtilizationSample, pid, nvmlProcessUtilizationSample_t, pid);
SAME_MEMBER(ProcessUtilizationSample, timestamp_us, nvmlProcessUtilizationSample_t, timeStamp);
SAME_MEMBER(ProcessUtilizationSample, sm, nvmlProcessUtilizationSample_t, smUtil);
SAME_MEMBER(ProcessUtilizationSample, memory, nvmlProcessUtilizationSample_t, memUtil);
SAME_MEMBER(ProcessUtilizationSample, encoder, nvmlProcessUtilizationSample_t, encUtil);
SAME_MEMBER(ProcessUtilizationSample, decoder, nvmlProcessUtilizationSample_t, decUtil);

SAME_SIZE(Value, nvmlValue_t);
SAME_MEMBER(Value, float64, nvmlValue_t, dVal);
SAME_MEMBER(Value, int32, nvmlValue_t, siVal);
SAME_MEMBER(Value, uint32, nvmlValue_t, uiVal);
SAME_MEMBER(Value, unsigned_long, nvmlValue_t, ulVal);
SAME_MEMBER(Value, uint64, nvmlValue_t, ullVal);
SAME_MEMBER(Value, int64, nvmlValue_t, sllVal);
SAME_MEMBER(Value, uint16, nvmlValue_t, usVal);

SAME_SIZE(Sample, nvmlSample_t);
SAME_MEMBER(Sample, timestamp_us, nvmlSample_t, timeStamp);
SAME_MEMBER(Sample, value, nvmlSample_t, sampleValue);

SAME_SIZE(FieldValue, nvmlFieldValue_t);
SAME_MEMBER(FieldValue, field, nvmlFieldValue_t, fieldId);
SAME_MEMBER(FieldValue, scope, nvmlFieldValue_t, scopeId);
SAME_MEMBER(FieldValue, timestamp_us, nvmlFieldValue_t, timestamp);
SAME_MEMBER(FieldValue, latency_us, nvmlFieldValue_t, latencyUsec);
SAME_MEMBER(FieldValue, value_type, nvmlFieldValue_t, valueType);
SAME_MEMBER(FieldValue, status, nvmlFieldValue_t, nvmlReturn);
SAME_MEMBER(FieldValue, value, nvmlFieldValue_t, value);

SAME_SIZE(ViolationTime, nvmlViolationTime_t);
SAME_MEMBER(ViolationTime, reference_us, nvmlViolationTime_t, referenceTime);
SAME_MEMBER(ViolationTime, violation_ns, nvmlViolationTime_t, violationTime);

SAME_SIZE(Temperature, nvmlTemperature_v1_t);
SAME_VALUE(version_of<Temperature>(1), nvmlTemperature_v1);
SAME_MEMBER(Temperature, version, nvmlTemperature_v1_t, version);
SAME_MEMBER(Temperature, sensor, nvmlTemperature_v1_t, sensorType);
SAME_MEMBER(Temperature, degrees, nvmlTemperature_v1_t, temperature);

SAME_SIZE(MarginTemperature, nvmlMarginTemperature_v1_t);
SAME_VALUE(version_of<MarginTemperature>(1), nvmlMarginTemperature_v1);
SAME_MEMBER(MarginTemperature, version, nvmlMarginTemperature_v1_t, version);
SAME_MEMBER(MarginTemperature, degrees, nvmlMarginTemperature_v1_t, marginTemperature);

SAME_SIZE(PowerValue, nvmlPowerValue_v2_t);
SAME_VALUE(version_of<PowerValue>(2), nvmlPowerValue_v2);
SAME_MEMBER(PowerValue, version, nvmlPowerValue_v2_t, version);
SAME_MEMBER(PowerValue, scope, nvmlPowerValue_v2_t, powerScope);
SAME_MEMBER(PowerValue, power_mw, nvmlPowerValue_v2_t, powerValueMw);

SAME_CALL(Init);
SAME_CALL(Init_v2);
SAME_CALL(InitWithFlags);
SAME_CALL(Shutdown);
SAME_CALL(ErrorString);
SAME_CALL(SystemGetDriverVersion);
SAME_CALL(SystemGetNVMLVersion);
SAME_CALL(SystemGetCudaDriverVersion);
SAME_CALL(SystemGetCudaDriverVersion_v2);
SAME_CALL(SystemGetProcessName);
SAME_CALL(DeviceGetCount);
SAME_CALL(DeviceGetCount_v2);
SAME_CALL(DeviceGetHandleByIndex);
SAME_CALL(DeviceGetHandleByIndex_v2);
SAME_CALL(DeviceGetHandleByUUID);
SAME_CALL(DeviceGetHandleBySerial);
SAME_CALL(DeviceGetHandleByPciBusId);
SAME_CALL(DeviceGetHandleByPciBusId_v2);
SAME_CALL(DeviceGetName);
SAME_CALL(DeviceGetUUID);
SAME_CALL(DeviceGetIndex);
SAME_CALL(DeviceGetMinorNumber);
SAME_CALL(DeviceGetPciInfo);
SAME_CALL(DeviceGetPciInfo_v2);
SAME_CALL(DeviceGetPciInfo_v3);
SAME_CALL(DeviceGetSerial);
SAME_CALL(DeviceGetVbiosVersion);
SAME_CALL(DeviceGetBoardPartNumber);
SAME_CALL(DeviceGetBrand);
SAME_CALL(DeviceGetArchitecture);
SAME_CALL(DeviceGetCudaComputeCapability);
SAME_CALL(DeviceGetNumGpuCores);
SAME_CALL(DeviceGetMemoryBusWidth);
SAME_CALL(DeviceGetMaxPcieLinkGeneration);
SAME_CALL(DeviceGetCurrPcieLinkGeneration);
SAME_CALL(DeviceGetMaxPcieLinkWidth);
SAME_CALL(DeviceGetCurrPcieLinkWidth);
SAME_CALL(DeviceGetPcieThroughput);
SAME_CALL(DeviceGetTopologyCommonAncestor);
SAME_CALL(DeviceGetPersistenceMode);
SAME_CALL(DeviceSetPersistenceMode);
SAME_CALL(DeviceGetComputeMode);
SAME_CALL(DeviceGetDisplayMode);
SAME_CALL(DeviceGetDisplayActive);
SAME_CALL(DeviceGetEccMode);
SAME_CALL(DeviceGetMigMode);
SAME_CALL(DeviceGetPerformanceState);
SAME_CALL(DeviceGetPowerState);
SAME_CALL(DeviceGetAPIRestriction);
SAME_CALL(DeviceGetPowerUsage);
SAME_CALL(DeviceGetPowerManagementMode);
SAME_CALL(DeviceGetPowerManagementLimit);
SAME_CALL(DeviceGetPowerManagementDefaultLimit);
SAME_CALL(DeviceGetPowerManagementLimitConstraints);
SAME_CALL(DeviceGetEnforcedPowerLimit);
SAME_CALL(DeviceSetPowerManagementLimit);
SAME_CALL(DeviceSetPowerManagementLimit_v2);
SAME_CALL(DeviceGetPowerSource);
SAME_CALL(DeviceGetTotalEnergyConsumption);
SAME_CALL(DeviceGetFieldValues);
SAME_CALL(DeviceGetSamples);
SAME_CALL(DeviceGetClockInfo);
SAME_CALL(DeviceGetMaxClockInfo);
SAME_CALL(DeviceGetClock);
SAME_CALL(DeviceGetMaxCustomerBoostClock);
SAME_CALL(DeviceGetApplicationsClock);
SAME_CALL(DeviceGetDefaultApplicationsClock);
SAME_CALL(DeviceSetApplicationsClocks);
SAME_CALL(DeviceResetApplicationsClocks);
SAME_CALL(DeviceGetSupportedMemoryClocks);
SAME_CALL(DeviceGetSupportedGraphicsClocks);
SAME_CALL(DeviceSetGpuLockedClocks);
SAME_CALL(DeviceResetGpuLockedClocks);
SAME_CALL(DeviceSetMemoryLockedClocks);
SAME_CALL(DeviceResetMemoryLockedClocks);
SAME_CALL(DeviceGetCurrentClocksThrottleReasons);
SAME_CALL(DeviceGetCurrentClocksEventReasons);
SAME_CALL(DeviceGetSupportedClocksThrottleReasons);
SAME_CALL(DeviceGetSupportedClocksEventReasons);
SAME_CALL(DeviceGetViolationStatus);
SAME_CALL(DeviceGetTemperature);
SAME_CALL(DeviceGetTemperatureV);
SAME_CALL(DeviceGetTemperatureThreshold);
SAME_CALL(DeviceGetMarginTemperature);
SAME_CALL(DeviceGetNumFans);
SAME_CALL(DeviceGetFanSpeed);
SAME_CALL(DeviceGetFanSpeed_v2);
SAME_CALL(DeviceGetUtilizationRates);
SAME_CALL(DeviceGetEncoderUtilization);
SAME_CALL(DeviceGetDecoderUtilization);
SAME_CALL(DeviceGetMemoryInfo);
SAME_CALL(DeviceGetMemoryInfo_v2);
SAME_CALL(DeviceGetBAR1MemoryInfo);
SAME_CALL(DeviceGetComputeRunningProcesses);
SAME_CALL(DeviceGetComputeRunningProcesses_v2);
SAME_CALL(DeviceGetComputeRunningProcesses_v3);
SAME_CALL(DeviceGetGraphicsRunningProcesses);
SAME_CALL(DeviceGetGraphicsRunningProcesses_v2);
SAME_CALL(DeviceGetGraphicsRunningProcesses_v3);
SAME_CALL(DeviceGetMPSComputeRunningProcesses);
SAME_CALL(DeviceGetMPSComputeRunningProcesses_v2);
SAME_CALL(DeviceGetMPSComputeRunningProcesses_v3);
SAME_CALL(DeviceGetProcessUtilization);

TEST(NvmlHeader, MatchesOurDeclarations) { SUCCEED() << "compiled against NVML " << NVML_API_VERSION_STR; }

}  // namespace
}  // namespace ergon::device::nvml

#else

TEST(NvmlHeader, MatchesOurDeclarations) { GTEST_SKIP() << "no nvml.h of CUDA 13 or newer on this machine"; }

#endif
