#pragma once

// The part of NVML's ABI that Ergon uses: constants, structures and function types. Neither building nor
// running needs the vendor's header. Checked against nvml.h of CUDA 13.0; earlier versions have the same
// layouts. Types have NVML's names without the prefix; the exported symbol of the function type DeviceGetName
// is "nvmlDeviceGetName".
//
// Parameter names carry their units. In structures whose first member is `version`, the caller sets
// version_of<Structure>(number).

#include <cstddef>

namespace ergon::device::nvml {

enum class Return : int {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  already_initialized = 5,
  not_found = 6,
  insufficient_size = 7,
  insufficient_power = 8,
  driver_not_loaded = 9,
  timeout = 10,
  irq_issue = 11,
  library_not_found = 12,
  function_not_found = 13,
  corrupted_inforom = 14,
  gpu_is_lost = 15,
  reset_required = 16,
  operating_system = 17,
  lib_rm_version_mismatch = 18,
  in_use = 19,
  memory = 20,
  no_data = 21,
  vgpu_ecc_not_supported = 22,
  insufficient_resources = 23,
  freq_not_supported = 24,
  argument_version_mismatch = 25,
  deprecated = 26,
  not_ready = 27,
  gpu_not_found = 28,
  invalid_state = 29,
  reset_type_not_supported = 30,
  unknown = 999,
};

enum class EnableState : int { disabled = 0, enabled = 1 };
enum class Brand : int {
  unknown = 0,
  quadro = 1,
  tesla = 2,
  nvs = 3,
  grid = 4,
  geforce = 5,
  titan = 6,
  quadro_rtx = 12,
  nvidia_rtx = 13,
  nvidia = 14,
  geforce_rtx = 15,
  titan_rtx = 16,
};
enum class Architecture : unsigned {
  kepler = 2,
  maxwell = 3,
  pascal = 4,
  volta = 5,
  turing = 6,
  ampere = 7,
  ada = 8,
  hopper = 9,
  blackwell = 10,
  unknown = 0xffffffff,
};
enum class ComputeMode : int {
  default_mode = 0,
  exclusive_thread = 1,
  prohibited = 2,
  exclusive_process = 3
};
enum class ClockType : int { graphics = 0, sm = 1, memory = 2, video = 3 };
enum class ClockId : int {
  current = 0,
  application_target = 1,
  application_default = 2,
  customer_boost_max = 3
};
enum class TemperatureSensor : int { gpu = 0 };
enum class TemperatureThreshold : int {
  shutdown = 0,
  slowdown = 1,
  memory_max = 2,
  gpu_max = 3,
  acoustic_min = 4,
  acoustic_current = 5,
  acoustic_max = 6,
  gps_current = 7,
};
// P0 is 0 and runs fastest; P15 is 15.
enum class PerformanceState : int { p0 = 0, p8 = 8, p15 = 15, unknown = 32 };
enum class PowerSource : unsigned { mains = 0, battery = 1, undersized = 2 };
enum class PcieCounter : int { sent_kb_per_s = 0, received_kb_per_s = 1 };
enum class ValueType : int {
  float64 = 0,
  uint32 = 1,
  unsigned_long = 2,
  uint64 = 3,
  int64 = 4,
  int32 = 5,
  uint16 = 6,
};
enum class SamplingType : int {
  total_power = 0,
  gpu_utilization = 1,
  memory_utilization = 2,
  encoder_utilization = 3,
  decoder_utilization = 4,
  processor_clock = 5,
  memory_clock = 6,
  module_power = 7,
  jpeg_utilization = 8,
  ofa_utilization = 9,
};
enum class PerfPolicy : int {
  power = 0,
  thermal = 1,
  sync_boost = 2,
  board_limit = 3,
  low_utilization = 4,
  reliability = 5,
  total_app_clocks = 10,
  total_base_clocks = 11,
};
enum class RestrictedApi : int { set_application_clocks = 0, set_auto_boosted_clocks = 1 };
enum class TopologyLevel : int {
  internal = 0,
  single = 10,
  multiple = 20,
  hostbridge = 30,
  node = 40,
  system = 50,
};

// For InitWithFlags.
inline constexpr unsigned kInitNoGpus = 1;    // succeed without GPUs
inline constexpr unsigned kInitNoAttach = 2;  // do not attach GPUs

// Buffer sizes that fit every string, including the terminating 0.
inline constexpr unsigned kDriverVersionSize = 80, kNvmlVersionSize = 80, kNameSize = 96, kUuidSize = 96,
                          kSerialSize = 30, kVbiosVersionSize = 32, kPartNumberSize = 80, kPciBusIdSize = 32,
                          kPciBusIdLegacySize = 16;

// Value of a number that the driver does not report (process memory, instance ids).
inline constexpr unsigned long long kNotAvailable64 = ~0ULL;
inline constexpr unsigned kNotAvailable32 = ~0U;

// Bits of DeviceGetCurrentClocksEventReasons.
namespace event_reason {
inline constexpr unsigned long long kGpuIdle = 0x1, kApplicationsClocksSetting = 0x2, kSwPowerCap = 0x4,
                                    kHwSlowdown = 0x8, kSyncBoost = 0x10, kSwThermalSlowdown = 0x20,
                                    kHwThermalSlowdown = 0x40, kHwPowerBrakeSlowdown = 0x80,
                                    kDisplayClockSetting = 0x100, kAll = 0x1ff;
}  // namespace event_reason

// Ids for DeviceGetFieldValues.
namespace field {
inline constexpr unsigned kEccCurrent = 1, kEccPending = 2;
inline constexpr unsigned kPerfPolicyPower = 74, kPerfPolicyThermal = 75;  // ns throttled, uint64
inline constexpr unsigned kMemoryTemperature = 82;                         // degrees, uint32
inline constexpr unsigned kTotalEnergy = 83;                               // mJ, uint64
inline constexpr unsigned kNvlinkLinkCount = 91, kPcieReplayCounter = 94;
inline constexpr unsigned kPowerAverage = 185, kPowerInstant = 186;  // mW, uint32; per scope
inline constexpr unsigned kPowerMinLimit = 187, kPowerMaxLimit = 188, kPowerDefaultLimit = 189,
                          kPowerCurrentLimit = 190, kPowerRequestedLimit = 192;  // mW, uint32; per scope
inline constexpr unsigned kEnergy = 191;                                         // mJ, uint64
inline constexpr unsigned kShutdownMargin = 193, kSlowdownMargin = 194, kMemoryMaxMargin = 195,
                          kGpuMaxMargin = 196;  // degrees below the maximum, int32
inline constexpr unsigned kSwThermalSlowdown = 269, kHwThermalSlowdown = 270,
                          kHwPowerBrake = 271;  // ns, uint64
inline constexpr unsigned kEnd = 274;           // highest id of CUDA 13.0, plus 1
// FieldValue::scope of the power fields.
inline constexpr unsigned kScopeGpu = 0, kScopeModule = 1, kScopeMemory = 2;
}  // namespace field

struct DeviceHandleTarget;
using DeviceHandle = DeviceHandleTarget*;

struct PciInfo {  // of DeviceGetPciInfo_v3
  char bus_id_legacy[kPciBusIdLegacySize];
  unsigned domain, bus, device;
  unsigned device_id;     // device in the upper half, vendor in the lower
  unsigned subsystem_id;  // likewise
  char bus_id[kPciBusIdSize];
};
struct PciInfoV2 {  // of DeviceGetPciInfo_v2
  char bus_id[kPciBusIdLegacySize];
  unsigned domain, bus, device, device_id, subsystem_id;
  unsigned reserved[4];
};
struct PciInfoV1 {  // of DeviceGetPciInfo
  char bus_id[kPciBusIdLegacySize];
  unsigned domain, bus, device, device_id;
};

struct Utilization {
  unsigned gpu, memory;  // percent
};
struct Memory {
  unsigned long long total, free, used;  // bytes; used includes reserved
};
struct MemoryV2 {  // version 2
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct Bar1Memory {
  unsigned long long total, free, used;
};

struct ProcessInfoV1 {
  unsigned pid;
  unsigned long long used_gpu_memory;  // bytes or kNotAvailable64
};
struct ProcessInfo {  // of the _v2 and _v3 calls
  unsigned pid;
  unsigned long long used_gpu_memory;
  unsigned gpu_instance, compute_instance;  // kNotAvailable32 without MIG
};
struct ProcessUtilizationSample {
  unsigned pid;
  unsigned long long timestamp_us;
  unsigned sm, memory, encoder, decoder;  // percent
};

union Value {
  double float64;
  int int32;
  unsigned uint32;
  unsigned long unsigned_long;
  unsigned long long uint64;
  long long int64;
  unsigned short uint16;
};
struct Sample {
  unsigned long long timestamp_us;  // since 1970
  Value value;
};
struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp_us;  // since 1970
  long long latency_us;
  ValueType value_type;
  Return status;  // the value is valid only if this is success
  Value value;
};
struct ViolationTime {
  unsigned long long reference_us, violation_ns;
};
struct Temperature {  // version 1
  unsigned version;
  TemperatureSensor sensor;
  int degrees;
};
struct MarginTemperature {  // version 1
  unsigned version;
  int degrees;
};
struct PowerValue {  // version 2
  unsigned version;
  unsigned char scope;
  unsigned power_mw;
};

// The value of the member `version` of a structure.
template <typename Structure>
constexpr unsigned version_of(unsigned number) {
  return static_cast<unsigned>(sizeof(Structure)) | number << 24U;
}

static_assert(sizeof(Return) == 4 && sizeof(EnableState) == 4 && sizeof(Architecture) == 4);
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, domain) == 16 &&
              offsetof(PciInfo, device_id) == 28 && offsetof(PciInfo, subsystem_id) == 32 &&
              offsetof(PciInfo, bus_id) == 36);
static_assert(sizeof(PciInfoV2) == 52 && sizeof(PciInfoV1) == 32);
static_assert(sizeof(Utilization) == 8 && sizeof(Memory) == 24 && sizeof(Bar1Memory) == 24);
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, total) == 8 && offsetof(MemoryV2, used) == 32);
static_assert(sizeof(ProcessInfoV1) == 16 && offsetof(ProcessInfoV1, used_gpu_memory) == 8);
static_assert(sizeof(ProcessInfo) == 24 && offsetof(ProcessInfo, gpu_instance) == 16);
static_assert(sizeof(ProcessUtilizationSample) == 32 &&
              offsetof(ProcessUtilizationSample, timestamp_us) == 8 &&
              offsetof(ProcessUtilizationSample, sm) == 16);
static_assert(sizeof(Value) == 8 && sizeof(Sample) == 16 && offsetof(Sample, value) == 8);
static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, timestamp_us) == 8 &&
              offsetof(FieldValue, value_type) == 24 && offsetof(FieldValue, status) == 28 &&
              offsetof(FieldValue, value) == 32);
static_assert(sizeof(ViolationTime) == 16 && sizeof(Temperature) == 12 &&
              offsetof(Temperature, degrees) == 8);
static_assert(sizeof(MarginTemperature) == 8 && sizeof(PowerValue) == 12 &&
              offsetof(PowerValue, power_mw) == 8);
static_assert(version_of<MemoryV2>(2) == 0x02000028 && version_of<Temperature>(1) == 0x0100000c &&
              version_of<PowerValue>(2) == 0x0200000c && version_of<MarginTemperature>(1) == 0x01000008);

// Function types. The suffix _v2, _v3 is part of the symbol; a name without suffix is the oldest version.
// "header's" marks the version that nvml.h maps the plain name to.

// Library. Init must precede all other calls except ErrorString. Each Init needs one Shutdown.
using Init = Return();
using Init_v2 = Return();  // header's Init
using InitWithFlags = Return(unsigned flags);
using Shutdown = Return();
using ErrorString = const char*(Return result);

// System.
using SystemGetDriverVersion = Return(char* version, unsigned length);
using SystemGetNVMLVersion = Return(char* version, unsigned length);
using SystemGetCudaDriverVersion = Return(int* version);  // 13000 is 13.0
using SystemGetCudaDriverVersion_v2 = Return(int* version);
using SystemGetProcessName = Return(unsigned pid, char* name, unsigned length);

// Finding devices.
using DeviceGetCount = Return(unsigned* count);
using DeviceGetCount_v2 = Return(unsigned* count);  // header's
using DeviceGetHandleByIndex = Return(unsigned index, DeviceHandle* device);
using DeviceGetHandleByIndex_v2 = Return(unsigned index, DeviceHandle* device);  // header's
using DeviceGetHandleByUUID = Return(const char* uuid, DeviceHandle* device);
using DeviceGetHandleBySerial = Return(const char* serial, DeviceHandle* device);
using DeviceGetHandleByPciBusId = Return(const char* bus_id, DeviceHandle* device);
using DeviceGetHandleByPciBusId_v2 = Return(const char* bus_id, DeviceHandle* device);  // header's

// Identity of a device.
using DeviceGetName = Return(DeviceHandle, char* name, unsigned length);
using DeviceGetUUID = Return(DeviceHandle, char* uuid, unsigned length);
using DeviceGetIndex = Return(DeviceHandle, unsigned* index);
using DeviceGetMinorNumber = Return(DeviceHandle, unsigned* minor);
using DeviceGetPciInfo = Return(DeviceHandle, PciInfoV1* info);
using DeviceGetPciInfo_v2 = Return(DeviceHandle, PciInfoV2* info);
using DeviceGetPciInfo_v3 = Return(DeviceHandle, PciInfo* info);  // header's
using DeviceGetSerial = Return(DeviceHandle, char* serial, unsigned length);
using DeviceGetVbiosVersion = Return(DeviceHandle, char* version, unsigned length);
using DeviceGetBoardPartNumber = Return(DeviceHandle, char* number, unsigned length);
using DeviceGetBrand = Return(DeviceHandle, Brand* brand);
using DeviceGetArchitecture = Return(DeviceHandle, Architecture* architecture);
using DeviceGetCudaComputeCapability = Return(DeviceHandle, int* major, int* minor);
using DeviceGetNumGpuCores = Return(DeviceHandle, unsigned* cores);
using DeviceGetMemoryBusWidth = Return(DeviceHandle, unsigned* bits);
using DeviceGetMaxPcieLinkGeneration = Return(DeviceHandle, unsigned* generation);
using DeviceGetCurrPcieLinkGeneration = Return(DeviceHandle, unsigned* generation);
using DeviceGetMaxPcieLinkWidth = Return(DeviceHandle, unsigned* lanes);
using DeviceGetCurrPcieLinkWidth = Return(DeviceHandle, unsigned* lanes);
using DeviceGetPcieThroughput = Return(DeviceHandle, PcieCounter counter, unsigned* kb_per_s);
using DeviceGetTopologyCommonAncestor = Return(DeviceHandle, DeviceHandle, TopologyLevel* level);

// Modes.
using DeviceGetPersistenceMode = Return(DeviceHandle, EnableState* mode);
using DeviceSetPersistenceMode = Return(DeviceHandle, EnableState mode);
using DeviceGetComputeMode = Return(DeviceHandle, ComputeMode* mode);
using DeviceGetDisplayMode = Return(DeviceHandle, EnableState* attached);
using DeviceGetDisplayActive = Return(DeviceHandle, EnableState* active);
using DeviceGetEccMode = Return(DeviceHandle, EnableState* current, EnableState* pending);
using DeviceGetMigMode = Return(DeviceHandle, unsigned* current, unsigned* pending);
using DeviceGetPerformanceState = Return(DeviceHandle, PerformanceState* state);
using DeviceGetPowerState = Return(DeviceHandle, PerformanceState* state);
using DeviceGetAPIRestriction = Return(DeviceHandle, RestrictedApi api, EnableState* restricted);

// Power and energy.
using DeviceGetPowerUsage = Return(DeviceHandle, unsigned* power_mw);
using DeviceGetPowerManagementMode = Return(DeviceHandle, EnableState* mode);
using DeviceGetPowerManagementLimit = Return(DeviceHandle, unsigned* limit_mw);
using DeviceGetPowerManagementDefaultLimit = Return(DeviceHandle, unsigned* limit_mw);
using DeviceGetPowerManagementLimitConstraints = Return(DeviceHandle, unsigned* min_mw, unsigned* max_mw);
using DeviceGetEnforcedPowerLimit = Return(DeviceHandle, unsigned* limit_mw);
using DeviceSetPowerManagementLimit = Return(DeviceHandle, unsigned limit_mw);
using DeviceSetPowerManagementLimit_v2 = Return(DeviceHandle, PowerValue* limit);
using DeviceGetPowerSource = Return(DeviceHandle, PowerSource* source);
using DeviceGetTotalEnergyConsumption = Return(DeviceHandle, unsigned long long* energy_mj);
using DeviceGetFieldValues = Return(DeviceHandle, int count, FieldValue* values);
// `count` is in and out: capacity of `samples`, then samples written. Null `samples` queries the capacity.
using DeviceGetSamples = Return(DeviceHandle, SamplingType, unsigned long long last_seen_us,
                                ValueType* value_type, unsigned* count, Sample* samples);

// Clocks. Setting application clocks: Pascal to Ampere. Locking the core clock: Volta and newer; the memory
// clock: Ampere and newer.
using DeviceGetClockInfo = Return(DeviceHandle, ClockType, unsigned* mhz);
using DeviceGetMaxClockInfo = Return(DeviceHandle, ClockType, unsigned* mhz);
using DeviceGetClock = Return(DeviceHandle, ClockType, ClockId, unsigned* mhz);
using DeviceGetMaxCustomerBoostClock = Return(DeviceHandle, ClockType, unsigned* mhz);
using DeviceGetApplicationsClock = Return(DeviceHandle, ClockType, unsigned* mhz);
using DeviceGetDefaultApplicationsClock = Return(DeviceHandle, ClockType, unsigned* mhz);
using DeviceSetApplicationsClocks = Return(DeviceHandle, unsigned memory_mhz, unsigned graphics_mhz);
using DeviceResetApplicationsClocks = Return(DeviceHandle);
using DeviceGetSupportedMemoryClocks = Return(DeviceHandle, unsigned* count, unsigned* mhz);  // descending
using DeviceGetSupportedGraphicsClocks = Return(DeviceHandle, unsigned memory_mhz, unsigned* count,
                                                unsigned* mhz);
using DeviceSetGpuLockedClocks = Return(DeviceHandle, unsigned min_mhz, unsigned max_mhz);
using DeviceResetGpuLockedClocks = Return(DeviceHandle);
using DeviceSetMemoryLockedClocks = Return(DeviceHandle, unsigned min_mhz, unsigned max_mhz);
using DeviceResetMemoryLockedClocks = Return(DeviceHandle);
// Two names for the same call; the newer one was added in driver 535.
using DeviceGetCurrentClocksThrottleReasons = Return(DeviceHandle, unsigned long long* reasons);
using DeviceGetCurrentClocksEventReasons = Return(DeviceHandle, unsigned long long* reasons);
using DeviceGetSupportedClocksThrottleReasons = Return(DeviceHandle, unsigned long long* reasons);
using DeviceGetSupportedClocksEventReasons = Return(DeviceHandle, unsigned long long* reasons);
using DeviceGetViolationStatus = Return(DeviceHandle, PerfPolicy, ViolationTime* time);

// Temperature.
using DeviceGetTemperature = Return(DeviceHandle, TemperatureSensor, unsigned* degrees);
using DeviceGetTemperatureV = Return(DeviceHandle, Temperature* temperature);
using DeviceGetTemperatureThreshold = Return(DeviceHandle, TemperatureThreshold, unsigned* degrees);
using DeviceGetMarginTemperature = Return(DeviceHandle, MarginTemperature* margin);
using DeviceGetNumFans = Return(DeviceHandle, unsigned* count);
using DeviceGetFanSpeed = Return(DeviceHandle, unsigned* percent);
using DeviceGetFanSpeed_v2 = Return(DeviceHandle, unsigned fan, unsigned* percent);

// Utilization.
using DeviceGetUtilizationRates = Return(DeviceHandle, Utilization* rates);
using DeviceGetEncoderUtilization = Return(DeviceHandle, unsigned* percent, unsigned* sampling_period_us);
using DeviceGetDecoderUtilization = Return(DeviceHandle, unsigned* percent, unsigned* sampling_period_us);
using DeviceGetMemoryInfo = Return(DeviceHandle, Memory* memory);
using DeviceGetMemoryInfo_v2 = Return(DeviceHandle, MemoryV2* memory);
using DeviceGetBAR1MemoryInfo = Return(DeviceHandle, Bar1Memory* memory);
// `count` is in and out. If the capacity is too small: Return::insufficient_size, and the required count.
using DeviceGetComputeRunningProcesses = Return(DeviceHandle, unsigned* count, ProcessInfoV1* processes);
using DeviceGetComputeRunningProcesses_v2 = Return(DeviceHandle, unsigned* count, ProcessInfo* processes);
using DeviceGetComputeRunningProcesses_v3 = Return(DeviceHandle, unsigned* count, ProcessInfo* processes);
using DeviceGetGraphicsRunningProcesses = DeviceGetComputeRunningProcesses;
using DeviceGetGraphicsRunningProcesses_v2 = DeviceGetComputeRunningProcesses_v2;
using DeviceGetGraphicsRunningProcesses_v3 = DeviceGetComputeRunningProcesses_v3;
using DeviceGetMPSComputeRunningProcesses = DeviceGetComputeRunningProcesses;
using DeviceGetMPSComputeRunningProcesses_v2 = DeviceGetComputeRunningProcesses_v2;
using DeviceGetMPSComputeRunningProcesses_v3 = DeviceGetComputeRunningProcesses_v3;
using DeviceGetProcessUtilization = Return(DeviceHandle, ProcessUtilizationSample* samples, unsigned* count,
                                           unsigned long long last_seen_us);

}  // namespace ergon::device::nvml
