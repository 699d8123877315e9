#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "service/metrics/monitor_state.h"

namespace ergon::service {

struct DeviceMonitorOptions {
  Seconds period{1};          // between the starts of two readings
  Seconds device_timeout{1};  // constructor and destructor wait this long for a device that does not respond
};

// The latest readings of all devices.
struct MonitorSnapshot {
  Timestamp at;
  std::vector<MonitoredDevice> devices;  // in the order given to the constructor
  Timestamp started{};                   // start of the monitor
};

// Reads devices periodically and provides their latest readings.
//
// Every device has its own thread, because a driver call may block for seconds or forever. A slow device is
// read as often as possible, with a pause of at least a tenth of the period, and does not delay the others. A
// device whose driver does not return counts as not responding after 10 s, or after three periods if that is
// longer, until it returns. A device that reports itself lost is read again every period.
//
// Time stamps come from the clock; pauses use real time, so that the destructor does not wait for the clock.
class DeviceMonitor {
 public:
  // Returns when every device was read once, or after `device_timeout`. The clock is used by several threads
  // and must outlive the monitor. Contract: the period is greater than 0; no device is null.
  DeviceMonitor(std::vector<std::shared_ptr<device::Device>> devices, const Clock& clock,
                const DeviceMonitorOptions& options = {});
  // Waits for readings in progress, up to `device_timeout`. A thread that is still in its driver then is
  // detached: it keeps its device alive and ends when the driver returns.
  ~DeviceMonitor();
  DeviceMonitor(const DeviceMonitor&) = delete;
  DeviceMonitor& operator=(const DeviceMonitor&) = delete;

  // Thread-safe. Never waits for a device.
  MonitorSnapshot snapshot() const;

 private:
  struct DeviceSlot;
  static void read_periodically(const std::shared_ptr<DeviceSlot>& slot, const Clock& clock, Seconds period);

  const Clock& clock_;
  Seconds device_timeout_;
  Timestamp started_;
  std::vector<std::shared_ptr<DeviceSlot>> slots_;
  std::vector<std::thread> threads_;
};

// True if any device is simulated.
bool simulated(const MonitorSnapshot& snapshot);

}  // namespace ergon::service
