#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "base/units.h"
#include "device/control.h"
#include "device/event_reasons.h"

namespace ergon::device {

enum class DeviceKind : std::uint8_t { nvml, rapl, twin };
std::string_view name_of(DeviceKind kind);

// Names of a device. Journals and datasets use the UUID; --device and output use the short id.
struct Identity {
  std::string id;  // "gpu0", "cpu0", "dram0", or a twin's name
  std::string uuid;
  std::string name;  // product name
  DeviceKind kind = DeviceKind::nvml;
};

// Power readings of NVML. Averaging window and update period differ by product: meter/sensor_facts.h.
enum class PowerField : std::uint8_t {
  usage,    // nvmlDeviceGetPowerUsage: instantaneous on some products, a one-second mean on others
  average,  // mean over one second
  instant,  // newest sensor value
  samples,  // newest entry of the driver's sample buffer
};
std::string_view name_of(PowerField field);

enum class ClockDomain : std::uint8_t { core, memory };
std::string_view name_of(ClockDomain domain);

// Supported readings and controls of a device. Readings were tried once when the device was opened. Controls
// were not tried: true means that the driver exports the call and the GPU generation supports it. Whether
// this user has permission is known only after the first write.
struct Capabilities {
  std::vector<PowerField> power;
  bool energy_counter = false;
  bool core_clock = false, memory_clock = false, supported_clocks = false;
  bool temperature = false, memory_temperature = false;
  bool utilization = false, memory = false, event_reasons = false, processes = false;
  bool power_limit = false;
  bool set_power_limit = false, lock_core_clock = false, lock_memory_clock = false,
       application_clocks = false;

  bool has(PowerField field) const;
};

struct PowerSample {
  Timestamp at;  // wall clock
  Watts power;
};

struct PowerLimits {
  Watts current, default_limit, min, max;
};

// Shares (0 to 1) of the driver's last sampling period.
struct GpuUtilization {
  double compute = 0;  // share of time with a kernel running
  double memory = 0;   // share of time with memory reads or writes
};

struct MemoryUse {
  Bytes total, used;
};

struct Process {
  std::int64_t pid = 0;
  std::optional<Bytes> memory;  // absent if the driver does not report it
};

// One GPU or one RAPL domain of a processor. Reading has no side effects. A reading that the device does not
// support fails with Errc::unsupported (never 0); a device that no longer responds fails with
// Errc::device_lost.
//
// Thread-safe: any thread may read at any time.
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual const Identity& identity() const = 0;
  virtual const Capabilities& capabilities() const = 0;
  // True if the readings come from a model: twins, and drivers backed by twins (fake-nvml).
  virtual bool simulated() const = 0;

  virtual Result<Watts> power(PowerField field);
  // Entries of the driver's sample buffer that are newer than `since`, oldest first. May be empty.
  virtual Result<std::vector<PowerSample>> power_samples(Timestamp since);
  // Cumulative energy since an arbitrary start. Updated in steps; never decreases while this object exists.
  virtual Result<Joules> energy_counter();

  virtual Result<Hertz> clock(ClockDomain domain);
  // Ascending. Core clocks are those supported at the highest memory clock.
  virtual Result<std::vector<Hertz>> supported_clocks(ClockDomain domain);
  virtual Result<Celsius> temperature();
  virtual Result<Celsius> memory_temperature();
  virtual Result<GpuUtilization> utilization();
  virtual Result<MemoryUse> memory();
  virtual Result<EventReasons> event_reasons();
  virtual Result<std::vector<Process>> processes();
  virtual Result<PowerLimits> power_limits();

  // Write access, for leases only. Null if the device has no controls.
  virtual Controls* controls(LeaseKey) { return nullptr; }

 protected:
  Device() = default;
};

// The devices that one backend (NVML, RAPL) found, and the errors of those it could not open.
struct FoundDevices {
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<Error> problems;
};

}  // namespace ergon::device
