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

// Who a device is. The UUID is what everything is kept under; the id is short, for people and for --device.
struct Identity {
  std::string id;  // "gpu0", "cpu0", "dram0", or a twin's name
  std::string uuid;
  std::string name;  // of the product
  DeviceKind kind = DeviceKind::nvml;
};

// The power readings that hardware may have. What each means differs by product: meter/sensor_facts.h.
enum class PowerField : std::uint8_t {
  usage,    // what everybody reads: instantaneous on some products, a one-second mean on others
  average,  // the mean over a second
  instant,  // the newest the sensor has
  samples,  // the newest of the driver's buffer of samples
};
std::string_view name_of(PowerField field);

enum class ClockDomain : std::uint8_t { core, memory };
std::string_view name_of(ClockDomain domain);

// What was found to work on this device, by trying. For controls, trying would be changing: there it means
// that the driver has the call and the GPU is of a generation that knows it; whether this user may is known
// only when it is done.
struct Capabilities {
  std::vector<PowerField> power;
  bool energy_counter = false;
  bool core_clock = false, memory_clock = false, supported_clocks = false;
  bool temperature = false, memory_temperature = false;
  bool utilisation = false, memory = false, event_reasons = false, processes = false;
  bool power_limit = false;
  bool set_power_limit = false, lock_core_clock = false, lock_memory_clock = false,
       application_clocks = false;

  bool has(PowerField field) const;
};

struct PowerSample {
  Timestamp at;  // by the machine's wall clock
  Watts power;
};

struct PowerLimits {
  Watts now, usual, least, most;
};

// Shares of the last sampling period of the driver.
struct Utilisation {
  double compute = 0;  // of the time, with a kernel running
  double memory = 0;   // of the time, with the memory being read or written
};

struct MemoryUse {
  Bytes total, used;
};

struct Process {
  std::int64_t pid = 0;
  std::optional<Bytes> memory;  // nothing where the driver does not tell
};

// One accelerator or one domain of a processor, as its driver shows it. Reading changes nothing. What the
// device does not have is Errc::unsupported, never 0; one that no longer answers is Errc::device_lost.
//
// Any thread may read at any time.
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual const Identity& identity() const = 0;
  virtual const Capabilities& capabilities() const = 0;
  // Numbers from a model, not from a machine: true for twins, and for a driver that runs on them.
  virtual bool simulated() const = 0;

  virtual Result<Watts> power(PowerField field);
  // What the driver's buffer holds that is newer than `since`, oldest first; may be empty.
  virtual Result<std::vector<PowerSample>> power_samples(Timestamp since);
  // Since some moment in the past; steps, and never falls while this object lives.
  virtual Result<Joules> energy_counter();

  virtual Result<Hertz> clock(ClockDomain domain);
  // Ascending. For the core: at the highest memory clock.
  virtual Result<std::vector<Hertz>> supported_clocks(ClockDomain domain);
  virtual Result<Celsius> temperature();
  virtual Result<Celsius> memory_temperature();
  virtual Result<Utilisation> utilisation();
  virtual Result<MemoryUse> memory();
  virtual Result<EventReasons> event_reasons();
  virtual Result<std::vector<Process>> processes();
  virtual Result<PowerLimits> power_limits();

  // The way to write, open to leases alone; null where nothing can be written.
  virtual Controls* controls(LeaseKey) { return nullptr; }

 protected:
  Device() = default;
};

// The devices of one origin, and what kept others from being found.
struct Found {
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<Error> problems;
};

}  // namespace ergon::device
