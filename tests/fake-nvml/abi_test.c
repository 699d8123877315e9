/* Tests the library like a foreign client: loads it by name, looks up functions by name, and uses structures
 * and constants copied from NVIDIA's header. Includes no header of Ergon. */

#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

typedef void* Device;
typedef unsigned int Uint;
typedef unsigned long long Ulong;

struct PciInfo {
  char busIdLegacy[16];
  Uint domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
};
struct MemoryV1 {
  Ulong total, free, used;
};
struct MemoryV2 {
  Uint version;
  Ulong total, reserved, free, used;
};
struct ProcessV1 {
  Uint pid;
  Ulong usedGpuMemory;
};
struct ProcessV2 {
  Uint pid;
  Ulong usedGpuMemory;
  Uint gpuInstanceId, computeInstanceId;
};
union Value {
  double dVal;
  int siVal;
  Uint uiVal;
  unsigned long ulVal;
  Ulong ullVal;
  long long sllVal;
  unsigned short usVal;
};
struct Field {
  Uint fieldId, scopeId;
  long long timestamp, latencyUsec;
  int valueType, nvmlReturn;
  union Value value;
};
struct Sample {
  Ulong timeStamp;
  union Value sampleValue;
};
struct TemperatureV1 {
  Uint version;
  int sensorType, temperature;
};
struct Utilization {
  Uint gpu, memory;
};

static void check_layouts(void) {
  CHECK(sizeof(struct PciInfo) == 68 && offsetof(struct PciInfo, busId) == 36);
  CHECK(sizeof(struct MemoryV2) == 40 && offsetof(struct MemoryV2, used) == 32);
  CHECK(sizeof(struct ProcessV1) == 16 && sizeof(struct ProcessV2) == 24);
  CHECK(sizeof(struct Field) == 40 && offsetof(struct Field, value) == 32);
  CHECK(sizeof(struct Sample) == 16 && sizeof(struct TemperatureV1) == 12);
}

static void* library;

/* Converting an object pointer to a function pointer is not standard C, but POSIX. */
static void find(const char* name, void* target) {
  void* const symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "%s is missing\n", name);
    exit(1);
  }
  memcpy(target, &symbol, sizeof symbol);
}

#define DECLARE(name, ...)  \
  int (*name)(__VA_ARGS__); \
  find(#name, &name)

static void check_errors(void) {
  static const char* const kStrings[] = {"Success",
                                         "Uninitialized",
                                         "Invalid Argument",
                                         "Not Supported",
                                         "Insufficient Permissions",
                                         "Already Initialized",
                                         "Not Found",
                                         "Insufficient Size",
                                         "Insufficient External Power",
                                         "Driver Not Loaded",
                                         "Timeout",
                                         "Interrupt Request Issue",
                                         "NVML Shared Library Not Found",
                                         "Function Not Found",
                                         "Corrupted infoROM",
                                         "GPU is lost",
                                         "GPU requires reset",
                                         "GPU access blocked by the operating system",
                                         "Driver/library version mismatch",
                                         "In use by another client",
                                         "Insufficient Memory",
                                         "No data",
                                         "vGPU ECC not supported",
                                         "Insufficient Resources",
                                         "Invalid Frequency",
                                         "Argument version mismatch",
                                         "Requested functionality has been deprecated",
                                         "System is not in ready state",
                                         "No supported GPUs were found",
                                         "Resource not in correct state to perform requested operation",
                                         "Reset type is not supported for given device"};
  const char* (*nvmlErrorString)(int);
  find("nvmlErrorString", &nvmlErrorString);
  for (int i = 0; i < (int)(sizeof kStrings / sizeof *kStrings); ++i)
    CHECK(strcmp(nvmlErrorString(i), kStrings[i]) == 0);
  CHECK(strcmp(nvmlErrorString(999), "Unknown Error") == 0);
  CHECK(strcmp(nvmlErrorString(12345), "Unknown Error") == 0);
}

static void check_before_init(void) {
  Uint number = 0;
  char text[80];
  DECLARE(nvmlDeviceGetCount_v2, Uint*);
  DECLARE(nvmlDeviceGetPowerUsage, Device, Uint*);
  DECLARE(nvmlDeviceGetNvLinkState, Device, Uint, Uint*);
  DECLARE(nvmlSystemGetNVMLVersion, char*, Uint);
  DECLARE(nvmlShutdown, void);
  CHECK(nvmlDeviceGetCount_v2(&number) == 1);
  CHECK(nvmlDeviceGetPowerUsage(NULL, &number) == 1);
  CHECK(nvmlDeviceGetNvLinkState(NULL, 0, &number) == 1);
  CHECK(nvmlSystemGetNVMLVersion(text, sizeof text) == 0);
  CHECK(nvmlShutdown() == 1);
}

static void check_init_is_counted(void) {
  Uint number = 0;
  DECLARE(nvmlInit_v2, void);
  DECLARE(nvmlInit, void);
  DECLARE(nvmlInitWithFlags, Uint);
  DECLARE(nvmlShutdown, void);
  DECLARE(nvmlDeviceGetCount_v2, Uint*);
  CHECK(nvmlInit_v2() == 0 && nvmlInit() == 0 && nvmlInitWithFlags(0) == 0);
  CHECK(nvmlShutdown() == 0 && nvmlShutdown() == 0);
  CHECK(nvmlDeviceGetCount_v2(&number) == 0 && number == 1);
  CHECK(nvmlShutdown() == 0);
  CHECK(nvmlDeviceGetCount_v2(&number) == 1);
  CHECK(nvmlShutdown() == 1);
  CHECK(nvmlInit_v2() == 0);
}

static void check_system(void) {
  char text[80];
  int version = 0;
  DECLARE(nvmlSystemGetDriverVersion, char*, Uint);
  DECLARE(nvmlSystemGetCudaDriverVersion, int*);
  DECLARE(nvmlSystemGetCudaDriverVersion_v2, int*);
  DECLARE(nvmlSystemGetProcessName, Uint, char*, Uint);
  CHECK(nvmlSystemGetDriverVersion(text, 80) == 0 && strcmp(text, "580.159.04") == 0);
  CHECK(nvmlSystemGetDriverVersion(text, 11) == 0);
  CHECK(nvmlSystemGetDriverVersion(text, 10) == 7);
  CHECK(nvmlSystemGetDriverVersion(NULL, 80) == 2);
  CHECK(nvmlSystemGetCudaDriverVersion(&version) == 0 && version == 13000);
  CHECK(nvmlSystemGetCudaDriverVersion_v2(NULL) == 2);
  CHECK(nvmlSystemGetProcessName((Uint)getpid(), text, sizeof text) == 0 && strlen(text) > 0);
  CHECK(nvmlSystemGetProcessName((Uint)getpid(), text, 4) == 0 && strlen(text) == 3);
  CHECK(nvmlSystemGetProcessName((Uint)getpid(), text, 0) == 2);
  CHECK(nvmlSystemGetProcessName(0, text, sizeof text) == 6);
}

static Device check_finding(void) {
  Device device = NULL, same = NULL;
  char uuid[96], serial[30];
  struct PciInfo pci;
  DECLARE(nvmlDeviceGetHandleByIndex_v2, Uint, Device*);
  DECLARE(nvmlDeviceGetHandleByIndex, Uint, Device*);
  DECLARE(nvmlDeviceGetHandleByUUID, const char*, Device*);
  DECLARE(nvmlDeviceGetHandleBySerial, const char*, Device*);
  DECLARE(nvmlDeviceGetHandleByPciBusId_v2, const char*, Device*);
  DECLARE(nvmlDeviceGetUUID, Device, char*, Uint);
  DECLARE(nvmlDeviceGetSerial, Device, char*, Uint);
  DECLARE(nvmlDeviceGetPciInfo_v3, Device, struct PciInfo*);
  DECLARE(nvmlDeviceGetPciInfo_v2, Device, void*);
  DECLARE(nvmlDeviceGetPciInfo, Device, void*);
  CHECK(nvmlDeviceGetHandleByIndex_v2(0, &device) == 0 && device != NULL);
  CHECK(nvmlDeviceGetHandleByIndex_v2(1, &same) == 2 && nvmlDeviceGetHandleByIndex_v2(0, NULL) == 2);
  CHECK(nvmlDeviceGetHandleByIndex(0, &same) == 0 && same == device);

  CHECK(nvmlDeviceGetUUID(device, uuid, 96) == 0 && strlen(uuid) == 40 && strncmp(uuid, "GPU-", 4) == 0);
  CHECK(nvmlDeviceGetUUID(device, uuid, 40) == 7);
  CHECK(nvmlDeviceGetHandleByUUID(uuid, &same) == 0 && same == device);
  CHECK(nvmlDeviceGetHandleByUUID(uuid + 4, &same) == 0);
  CHECK(nvmlDeviceGetHandleByUUID("GPU-0", &same) == 6 && nvmlDeviceGetHandleByUUID(NULL, &same) == 2);
  CHECK(nvmlDeviceGetSerial(device, serial, 30) == 0 && strlen(serial) == 13);
  CHECK(nvmlDeviceGetHandleBySerial(serial, &same) == 0 && nvmlDeviceGetHandleBySerial("1", &same) == 6);

  CHECK(nvmlDeviceGetPciInfo_v3(device, &pci) == 0 && strcmp(pci.busId, "00000000:10:00.0") == 0);
  CHECK(strcmp(pci.busIdLegacy, "0000:10:00.0") == 0 && pci.bus == 16 && pci.pciDeviceId == 0x233510de);
  CHECK(nvmlDeviceGetHandleByPciBusId_v2(pci.busId, &same) == 0 && same == device);
  CHECK(nvmlDeviceGetHandleByPciBusId_v2(pci.busIdLegacy, &same) == 0);
  CHECK(nvmlDeviceGetHandleByPciBusId_v2("10:00.0", &same) == 0);
  CHECK(nvmlDeviceGetHandleByPciBusId_v2("0000:ff:00.0", &same) == 6);
  CHECK(nvmlDeviceGetHandleByPciBusId_v2("junk", &same) == 2);

  /* The first versions write fewer bytes; the rest must stay unchanged. */
  unsigned char raw[72];
  memset(raw, 0xaa, sizeof raw);
  CHECK(nvmlDeviceGetPciInfo(device, raw) == 0 && raw[31] != 0xaa && raw[32] == 0xaa);
  memset(raw, 0xaa, sizeof raw);
  CHECK(nvmlDeviceGetPciInfo_v2(device, raw) == 0 && raw[35] != 0xaa && raw[36] == 0xaa);
  return device;
}

static void check_identity(Device device) {
  char name[96];
  Uint number = 0;
  int major = 0, minor = 0;
  DECLARE(nvmlDeviceGetName, Device, char*, Uint);
  DECLARE(nvmlDeviceGetArchitecture, Device, Uint*);
  DECLARE(nvmlDeviceGetBrand, Device, Uint*);
  DECLARE(nvmlDeviceGetNumGpuCores, Device, Uint*);
  DECLARE(nvmlDeviceGetCudaComputeCapability, Device, int*, int*);
  CHECK(nvmlDeviceGetName(device, name, 96) == 0 && strcmp(name, "NVIDIA H200") == 0);
  CHECK(nvmlDeviceGetName(device, name, 4) == 7 && nvmlDeviceGetName(device, NULL, 96) == 2);
  CHECK(nvmlDeviceGetName(NULL, name, 96) == 2);
  CHECK(nvmlDeviceGetArchitecture(device, &number) == 0 && number == 9);
  CHECK(nvmlDeviceGetBrand(device, &number) == 0 && number == 14);
  CHECK(nvmlDeviceGetNumGpuCores(device, &number) == 0 && number == 16896);
  CHECK(nvmlDeviceGetCudaComputeCapability(device, &major, &minor) == 0 && major == 9 && minor == 0);
}

static void check_readings(Device device) {
  Uint number = 0, least = 0, most = 0;
  Ulong energy = 0;
  DECLARE(nvmlDeviceGetPowerUsage, Device, Uint*);
  DECLARE(nvmlDeviceGetTotalEnergyConsumption, Device, Ulong*);
  DECLARE(nvmlDeviceGetPowerManagementLimitConstraints, Device, Uint*, Uint*);
  DECLARE(nvmlDeviceGetTemperature, Device, int, Uint*);
  DECLARE(nvmlDeviceGetTemperatureV, Device, struct TemperatureV1*);
  CHECK(nvmlDeviceGetPowerUsage(device, &number) == 0 && number > 50000 && number < 700000);
  CHECK(nvmlDeviceGetPowerUsage(device, NULL) == 2);
  CHECK(nvmlDeviceGetTotalEnergyConsumption(device, &energy) == 0);
  CHECK(nvmlDeviceGetPowerManagementLimitConstraints(device, &least, &most) == 0 && least == 200000 &&
        most == 700000);
  CHECK(nvmlDeviceGetTemperature(device, 0, &number) == 0 && number > 20 && number < 90);
  CHECK(nvmlDeviceGetTemperature(device, 1, &number) == 2);
  struct TemperatureV1 temperature = {0x0100000c, 0, 0};
  CHECK(nvmlDeviceGetTemperatureV(device, &temperature) == 0 && temperature.temperature == (int)number);
  temperature.version = 0x0200000c;
  CHECK(nvmlDeviceGetTemperatureV(device, &temperature) == 25);
}

static void check_memory(Device device) {
  struct MemoryV1 first;
  struct MemoryV2 second = {0x02000028, 0, 0, 0, 0};
  DECLARE(nvmlDeviceGetMemoryInfo, Device, struct MemoryV1*);
  DECLARE(nvmlDeviceGetMemoryInfo_v2, Device, struct MemoryV2*);
  CHECK(nvmlDeviceGetMemoryInfo(device, &first) == 0 && first.total == first.free + first.used);
  CHECK(nvmlDeviceGetMemoryInfo_v2(device, &second) == 0);
  CHECK(second.total == first.total && second.free == first.free &&
        second.used + second.reserved == first.used);
  second.version = 2;
  CHECK(nvmlDeviceGetMemoryInfo_v2(device, &second) == 13);
}

static void check_lists(Device device) {
  Uint count = 0, clocks[300];
  DECLARE(nvmlDeviceGetSupportedMemoryClocks, Device, Uint*, Uint*);
  DECLARE(nvmlDeviceGetSupportedGraphicsClocks, Device, Uint, Uint*, Uint*);
  DECLARE(nvmlDeviceGetComputeRunningProcesses_v3, Device, Uint*, struct ProcessV2*);
  DECLARE(nvmlDeviceGetComputeRunningProcesses, Device, Uint*, struct ProcessV1*);
  CHECK(nvmlDeviceGetSupportedMemoryClocks(device, &count, NULL) == 7 && count == 2);
  CHECK(nvmlDeviceGetSupportedMemoryClocks(device, &count, clocks) == 0 && clocks[0] == 3201);
  count = 5;
  CHECK(nvmlDeviceGetSupportedGraphicsClocks(device, 3201, &count, clocks) == 7 && count == 110);
  CHECK(nvmlDeviceGetSupportedGraphicsClocks(device, 3201, &count, clocks) == 0);
  CHECK(clocks[0] == 1980 && clocks[1] == 1965 && clocks[109] == 345);
  CHECK(nvmlDeviceGetSupportedGraphicsClocks(device, 3201, &count, NULL) == 2);
  CHECK(nvmlDeviceGetSupportedGraphicsClocks(device, 1, &count, clocks) == 6);
  count = 0;
  CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL) == 0 && count == 0);
  CHECK(nvmlDeviceGetComputeRunningProcesses(device, NULL, NULL) == 2);
}

static void check_process_lists(Device device) {
  struct ProcessV1 first[4];
  struct ProcessV2 second[4];
  Uint count = 0;
  DECLARE(ergon_fake_nvml_open_context, Uint);
  DECLARE(ergon_fake_nvml_close_context, Uint);
  DECLARE(nvmlDeviceGetComputeRunningProcesses, Device, Uint*, struct ProcessV1*);
  DECLARE(nvmlDeviceGetComputeRunningProcesses_v2, Device, Uint*, struct ProcessV2*);
  DECLARE(nvmlDeviceGetComputeRunningProcesses_v3, Device, Uint*, struct ProcessV2*);
  DECLARE(nvmlDeviceGetGraphicsRunningProcesses_v3, Device, Uint*, struct ProcessV2*);
  CHECK(ergon_fake_nvml_open_context(0) == 0);
  CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL) == 7 && count == 1);
  count = 4;
  CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, NULL) == 2 && count == 1);
  count = 4;
  CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, second) == 0 && count == 1);
  CHECK(second[0].pid == (Uint)getpid() && second[0].usedGpuMemory > 0 &&
        second[0].gpuInstanceId == 0xffffffff);
  count = 4;
  CHECK(nvmlDeviceGetComputeRunningProcesses_v2(device, &count, second) == 0 &&
        second[0].pid == (Uint)getpid());
  count = 4;
  CHECK(nvmlDeviceGetComputeRunningProcesses(device, &count, first) == 0 && count == 1);
  CHECK(first[0].pid == (Uint)getpid() && first[0].usedGpuMemory == second[0].usedGpuMemory);
  count = 4;
  CHECK(nvmlDeviceGetGraphicsRunningProcesses_v3(device, &count, second) == 0 && count == 0);
  CHECK(ergon_fake_nvml_close_context(0) == 0);
}

static void check_fields(Device device) {
  struct Field fields[5];
  static const Uint kIds[] = {186, 191, 274, 32, 187};
  memset(fields, 0, sizeof fields);
  for (int i = 0; i < 5; ++i) fields[i].fieldId = kIds[i];
  DECLARE(nvmlDeviceGetFieldValues, Device, int, struct Field*);
  CHECK(nvmlDeviceGetFieldValues(device, 5, fields) == 0);
  CHECK(fields[0].nvmlReturn == 0 && fields[0].valueType == 1 && fields[0].value.uiVal > 50000);
  CHECK(fields[0].timestamp > 1500000000000000LL);
  CHECK(fields[1].nvmlReturn == 0 && fields[1].valueType == 3);
  CHECK(fields[2].nvmlReturn == 2 && fields[3].nvmlReturn == 3);
  CHECK(fields[4].nvmlReturn == 0 && fields[4].value.uiVal == 200000);
  fields[0].scopeId = 1;
  fields[1].fieldId = 190;
  fields[1].scopeId = 2;
  CHECK(nvmlDeviceGetFieldValues(device, 2, fields) == 0 && fields[0].nvmlReturn == 3 &&
        fields[1].nvmlReturn == 2);
  CHECK(nvmlDeviceGetFieldValues(device, 0, fields) == 2 && nvmlDeviceGetFieldValues(device, 1, NULL) == 2);
}

static void check_samples(Device device) {
  struct Sample samples[200];
  int type = -1;
  Uint count = 0;
  DECLARE(nvmlDeviceGetSamples, Device, int, Ulong, int*, Uint*, struct Sample*);
  CHECK(nvmlDeviceGetSamples(device, 0, 0, &type, &count, NULL) == 0 && count == 120 && type == 1);
  CHECK(nvmlDeviceGetSamples(device, 0, 0, &type, &count, samples) == 0 && count >= 1 && count <= 120);
  CHECK(samples[0].sampleValue.uiVal > 50000 && samples[0].timeStamp > 1500000000000000ULL);
  count = 0;
  CHECK(nvmlDeviceGetSamples(device, 0, 0, &type, &count, samples) == 2);
  CHECK(nvmlDeviceGetSamples(device, 7, 0, &type, &count, NULL) == 2);
  CHECK(nvmlDeviceGetSamples(device, 0, 0, &type, NULL, samples) == 2);
}

static void check_clocks(Device device) {
  Uint mhz = 0;
  DECLARE(nvmlDeviceGetClockInfo, Device, int, Uint*);
  DECLARE(nvmlDeviceGetMaxClockInfo, Device, int, Uint*);
  DECLARE(nvmlDeviceGetClock, Device, int, int, Uint*);
  DECLARE(nvmlDeviceGetMaxCustomerBoostClock, Device, int, Uint*);
  CHECK(nvmlDeviceGetClockInfo(device, 0, &mhz) == 0 && mhz == 345);
  CHECK(nvmlDeviceGetClockInfo(device, 2, &mhz) == 0 && mhz == 3201);
  CHECK(nvmlDeviceGetClockInfo(device, 4, &mhz) == 3 && nvmlDeviceGetClockInfo(device, 0, NULL) == 2);
  CHECK(nvmlDeviceGetMaxClockInfo(device, 1, &mhz) == 0 && mhz == 1980);
  CHECK(nvmlDeviceGetMaxClockInfo(device, 4, &mhz) == 2);
  CHECK(nvmlDeviceGetClock(device, 0, 3, &mhz) == 0 && nvmlDeviceGetClock(device, 0, 4, &mhz) == 2);
  CHECK(nvmlDeviceGetMaxCustomerBoostClock(device, 2, &mhz) == 3);
}

static void check_the_rest(Device device) {
  Uint number = 0;
  Ulong reasons = 0;
  struct Utilization rates;
  DECLARE(nvmlDeviceGetUtilizationRates, Device, struct Utilization*);
  DECLARE(nvmlDeviceGetCurrentClocksEventReasons, Device, Ulong*);
  DECLARE(nvmlDeviceGetSupportedClocksThrottleReasons, Device, Ulong*);
  DECLARE(nvmlDeviceGetFanSpeed, Device, Uint*);
  DECLARE(nvmlDeviceGetNvLinkState, Device, Uint, Uint*);
  DECLARE(nvmlUnitGetCount, Uint*);
  CHECK(nvmlDeviceGetUtilizationRates(device, &rates) == 0 && rates.gpu == 0 && rates.memory == 0);
  CHECK(nvmlDeviceGetCurrentClocksEventReasons(device, &reasons) == 0 && reasons == 1);
  CHECK(nvmlDeviceGetSupportedClocksThrottleReasons(device, &reasons) == 0 && reasons == 511);
  CHECK(nvmlDeviceGetFanSpeed(device, &number) == 3);
  CHECK(nvmlDeviceGetNvLinkState(device, 0, &number) == 3);
  CHECK(nvmlUnitGetCount(&number) == 0 && number == 0);
}

struct EventData {
  Device device;
  Ulong eventType, eventData;
  Uint gpuInstanceId, computeInstanceId;
};

static void check_events(Device device) {
  void* set = NULL;
  Ulong types = 0;
  struct EventData data;
  DECLARE(nvmlEventSetCreate, void**);
  DECLARE(nvmlEventSetFree, void*);
  DECLARE(nvmlEventSetWait_v2, void*, struct EventData*, Uint);
  DECLARE(nvmlDeviceRegisterEvents, Device, Ulong, void*);
  DECLARE(nvmlDeviceGetSupportedEventTypes, Device, Ulong*);
  CHECK(sizeof data == 32);
  CHECK(nvmlDeviceGetSupportedEventTypes(device, &types) == 0 && types == 0xff9f);
  CHECK(nvmlEventSetCreate(&set) == 0 && set != NULL && nvmlEventSetCreate(NULL) == 2);
  CHECK(nvmlDeviceRegisterEvents(device, types, set) == 0);
  CHECK(nvmlDeviceRegisterEvents(device, 1ULL << 40, set) == 3);
  CHECK(nvmlEventSetWait_v2(set, &data, 1) == 10 && nvmlEventSetWait_v2(set, NULL, 1) == 2);
  CHECK(nvmlEventSetFree(set) == 0 && nvmlEventSetFree(NULL) == 2);
}

/* As nvidia-smi calls it: entries are found by their position in a table of pointers. */
static void check_export_table(Device device) {
  static const unsigned char kId[16] = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e,
                                        0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4};
  static const unsigned char kOther[16] = {0};
  void* const* table = NULL;
  Device same = NULL;
  Uint number = 0;
  DECLARE(nvmlInternalGetExportTable, void* const**, const unsigned char*);
  CHECK(nvmlInternalGetExportTable(&table, kOther) == 2 && nvmlInternalGetExportTable(NULL, kId) == 2);
  CHECK(nvmlInternalGetExportTable(&table, kId) == 0 && table != NULL);
  if (table == NULL) return;
  CHECK((size_t)table[0] == 2160);
  int (*get)(Device, Uint*);
  memcpy(&get, &table[72], sizeof get);
  CHECK(get(device, &number) == 0 && number == 1);
  memcpy(&get, &table[108], sizeof get);
  CHECK(get(device, &number) == 0 && number == 700000);
  memcpy(&get, &table[1], sizeof get); /* not served */
  CHECK(get(device, &number) == 3);
  int (*handle)(Uint, Device*, Uint);
  memcpy(&handle, &table[81], sizeof handle);
  CHECK(handle(0, &same, 0x22) == 0 && same == device);
  CHECK(handle(1, &same, 0x22) == 2);
}

static void check_machine(Device device) {
  unsigned long word = 0;
  Uint rows[4] = {9, 9, 9, 9}, banks[5];
  int status = 9;
  DECLARE(nvmlDeviceGetCpuAffinity, Device, Uint, unsigned long*);
  DECLARE(nvmlDeviceGetMemoryAffinity, Device, Uint, unsigned long*, int);
  DECLARE(nvmlDeviceGetP2PStatus, Device, Device, int, int*);
  DECLARE(nvmlDeviceGetRemappedRows, Device, Uint*, Uint*, Uint*, Uint*);
  DECLARE(nvmlDeviceGetRowRemapperHistogram, Device, Uint*);
  CHECK(nvmlDeviceGetCpuAffinity(device, 1, &word) == 0 && (word & 1) == 1);
  CHECK(nvmlDeviceGetCpuAffinity(device, 0, &word) == 2);
  CHECK(nvmlDeviceGetMemoryAffinity(device, 1, &word, 0) == 0 && word == 1);
  CHECK(nvmlDeviceGetP2PStatus(device, device, 0, &status) == 0 && status == 5);
  CHECK(nvmlDeviceGetRemappedRows(device, &rows[0], &rows[1], &rows[2], &rows[3]) == 0);
  CHECK(rows[0] + rows[1] + rows[2] + rows[3] == 0);
  CHECK(nvmlDeviceGetRowRemapperHistogram(device, banks) == 0 && banks[0] == 3072 && banks[4] == 0);
}

int main(int argc, char** argv) {
  char state[] = "/tmp/ergon-abi-test-XXXXXX", log[64];
  if (mkdtemp(state) == NULL) return 1;
  snprintf(log, sizeof log, "%s/world.log", state);
  setenv("ERGON_FAKE_NVML_STATE", state, 1);
  unsetenv("ERGON_FAKE_NVML");
  library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL) {
    fprintf(stderr, "usage: abi_test LIBRARY; %s\n", argc == 2 ? dlerror() : "");
    return 1;
  }
  check_layouts();
  check_errors();
  check_before_init();
  check_init_is_counted();
  check_system();
  Device const device = check_finding();
  check_identity(device);
  check_readings(device);
  check_memory(device);
  check_lists(device);
  check_process_lists(device);
  check_fields(device);
  check_samples(device);
  check_clocks(device);
  check_the_rest(device);
  check_events(device);
  check_export_table(device);
  check_machine(device);
  unlink(log);
  rmdir(state);
  if (failures == 0) puts("abi_test: all as the header says");
  return failures == 0 ? 0 : 1;
}
