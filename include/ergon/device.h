#pragma once

// Devices: the GPUs and processors of this machine, and twins (simulated GPUs). Reading a device has no side
// effects. A device is changed only through a Lease, which restores it.
//
//   const auto found = ergon::find_devices();
//   for (const ergon::Device& gpu : found.devices) {
//     if (const auto power = gpu.power()) use(*power);
//   }

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ergon/export.h"
#include "ergon/network.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

enum class DeviceKind : std::uint8_t {
  gpu,        // an NVIDIA GPU, read through NVML
  processor,  // a processor package or its memory, read through RAPL
  twin,       // a simulated GPU
};
ERGON_API std::string_view name_of(DeviceKind kind);

struct DeviceIdentity {
  std::string id;  // "gpu0", "cpu0", "dram0", or a twin's name
  std::string uuid;
  std::string name;  // product name
  DeviceKind kind = DeviceKind::gpu;
  // The readings come from a model: twins, and drivers backed by twins (fake-nvml).
  bool simulated = false;
};

// Power readings of NVML. Averaging window and update period differ by product.
enum class PowerField : std::uint8_t {
  usage,    // nvmlDeviceGetPowerUsage: instantaneous on some products, a one-second mean on others
  average,  // mean over one second
  instant,  // newest sensor value
  samples,  // newest entry of the driver's sample buffer
};
ERGON_API std::string_view name_of(PowerField field);

// Supported readings and controls. Readings were tried when the device was opened. Controls were not tried:
// true means that the driver exports the call and the GPU generation supports it. Whether this user has
// permission is known only after the first change.
struct DeviceCapabilities {
  std::vector<PowerField> power;
  bool energy_counter = false;
  bool core_clock = false, memory_clock = false, supported_clocks = false;
  bool temperature = false, memory_temperature = false;
  bool utilization = false, memory = false, event_reasons = false, processes = false, power_limits = false;
  bool set_power_limit = false, lock_core_clock = false, lock_memory_clock = false;
};

struct PowerLimits {
  Watts current, default_limit, min, max;
};

// Shares (0 to 1) of the driver's last sampling period.
struct Utilization {
  double compute = 0;  // share of time with a kernel running
  double memory = 0;   // share of time with memory reads or writes
};

struct MemoryUse {
  Bytes total, used;
};

struct DeviceProcess {
  std::int64_t pid = 0;
  std::optional<Bytes> memory;  // absent if the driver does not report it
};

// A device. A handle: copies refer to the same device, which stays open while a handle exists.
//
// A reading that the device does not support fails with Errc::unsupported, never with 0. A device that no
// longer responds fails with Errc::device_lost. Any thread may read at any time.
class ERGON_API Device {
 public:
  // A simulated GPU in real time, by name (twin_names()) or device file (.json). It is cold at first, and
  // idle until run() is called. It cannot be leased. Errors: unknown_name with the nearest name; not_found;
  // invalid_input for a damaged file.
  static Result<Device> twin(const std::string& name_or_file);

  const DeviceIdentity& identity() const;
  const DeviceCapabilities& capabilities() const;

  // The power field that measures this product best, as windows use it.
  Result<Watts> power() const;
  Result<Watts> power(PowerField field) const;
  // Cumulative energy since an arbitrary start. Updated in steps; never decreases while the device is open.
  Result<Joules> energy_counter() const;
  Result<Hertz> core_clock() const;
  Result<Hertz> memory_clock() const;
  // Ascending. Core clocks are those supported at the highest memory clock.
  Result<std::vector<Hertz>> supported_core_clocks() const;
  Result<std::vector<Hertz>> supported_memory_clocks() const;
  Result<Celsius> temperature() const;
  Result<Celsius> memory_temperature() const;
  Result<Utilization> utilization() const;
  Result<MemoryUse> memory() const;
  Result<std::vector<DeviceProcess>> processes() const;
  Result<PowerLimits> power_limits() const;
  // Why the GPU runs below its highest clock: "power_cap", "hardware_slowdown", ... Empty: it does not.
  Result<std::vector<std::string>> event_reasons() const;

  // Twins only: repeats a network from now on, or idles. Without a precision, in that of the network. Errors:
  // unsupported for other devices; a batch that the network does not support; out_of_memory.
  Result<> run(const Network& network, std::int64_t batch, Mode mode = Mode::inference,
               std::optional<Precision> precision = {}) const;
  Result<> stop() const;

 private:
  friend struct Access;
  struct State;
  explicit Device(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

// The devices of this machine.
struct FoundDevices {
  std::vector<Device> devices;
  std::vector<Error> problems;     // devices or drivers that could not be opened
  std::vector<std::string> notes;  // clocks and power limits that were restored after a killed lease
};

// GPUs through NVML ($ERGON_NVML names another library than the driver's), and processors through RAPL. If a
// process was killed while it held a lease, its changes are undone first, as by every command of Ergon.
ERGON_API FoundDevices find_devices();

// Devices of this machine by id ("gpu0", "cpu0"), GPU index ("0" is gpu0) or UUID prefix (8 characters or
// more), ignoring case. Without names: all GPUs, or the processors if there is no GPU. Errors: unknown_name
// with the nearest id; no devices, with the reason.
ERGON_API Result<std::vector<Device>> select_devices(const std::vector<std::string>& names = {});

// Names of the built-in twins: "h200", "v100", ...
ERGON_API std::vector<std::string> twin_names();

// Proof that the user of the program allowed it to change devices, for example by an option.
class ControlAllowed {
 public:
  static ControlAllowed by_user() { return {}; }

 private:
  ControlAllowed() = default;
};

// What became of the changes of a lease.
struct RestoreResult {
  bool complete = true;               // all previous values are restored
  std::vector<std::string> failures;  // what could not be restored, and why; the next lease tries again
};

// Exclusive permission to change one device's clocks and power limit. Restores the previous values when
// released or destroyed. The previous value is written to a journal before the first change, so that after a
// crash the next find_devices() or command of Ergon restores it. Leases on one device exclude each other,
// also between processes.
//
// Most devices do not report locked clocks: a clock that another tool had locked is unlocked after the lease.
// Not thread-safe. In a forked child the object does nothing.
class ERGON_API Lease {
 public:
  // Errors: busy if another process holds the lease (the message names it); unsupported for a device
  // without controls; a journal that cannot be opened ($ERGON_STATE names its folder).
  static Result<Lease> acquire(const Device& device, ControlAllowed allowed);

  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) noexcept;  // releases the lease that it replaces
  ~Lease();

  // Errors: invalid_input for a value that the device does not support; permission; cancelled after
  // release(). The device is unchanged then.
  Result<> lock_core_clock(Hertz min, Hertz max);
  Result<> lock_core_clock(Hertz clock) { return lock_core_clock(clock, clock); }
  Result<> lock_memory_clock(Hertz min, Hertz max);
  Result<> lock_memory_clock(Hertz clock) { return lock_memory_clock(clock, clock); }
  Result<> set_power_limit(Watts limit);

  // Restores all changes. A second call returns the same.
  RestoreResult release();

 private:
  struct State;
  explicit Lease(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace ergon
