#include "service/metrics/device_monitor.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/contract.h"

namespace ergon::service {
namespace {

constexpr double kMinPause = 0.1;  // of a period
constexpr double kMaxMissedPeriods = 3;

std::chrono::duration<double> real_time(Seconds time) { return std::chrono::duration<double>(time.si()); }

std::chrono::steady_clock::time_point real_deadline(Seconds timeout) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::nanoseconds>(real_time(timeout));
}

MonitorLimits limits_for(Seconds period) {
  MonitorLimits limits;
  limits.max_gap = std::max(limits.max_gap, period * kMaxMissedPeriods);
  return limits;
}

}  // namespace

// State shared by the monitor and the thread of one device. A detached thread outlives the monitor and may
// then use only this: it reads the clock only under the lock and while `stopping` is false.
struct DeviceMonitor::DeviceSlot {
  DeviceSlot(std::shared_ptr<device::Device> which, const MonitorLimits& limits)
      : device(std::move(which)), state(empty_reading(*device), limits) {}

  const std::shared_ptr<device::Device> device;
  std::mutex mutex;
  std::condition_variable changed;
  MonitorState state;
  bool read_once = false;  // the first reading has ended
  bool reading = false;    // a reading is in progress
  bool stopping = false;
};

void DeviceMonitor::read_periodically(const std::shared_ptr<DeviceSlot>& slot, const Clock& clock,
                                      Seconds period) {
  std::unique_lock lock(slot->mutex);
  while (!slot->stopping) {
    const Instant began = clock.now();
    const Timestamp at = clock.wall_now();
    slot->reading = true;
    lock.unlock();
    const GpuReading reading = read(*slot->device, at);
    lock.lock();
    slot->reading = false;
    slot->changed.notify_all();
    if (slot->stopping) return;
    slot->state.add_reading(reading, began);
    slot->read_once = true;
    const Seconds took = clock.now() - began;
    slot->changed.wait_for(lock, real_time(std::max(period - took, period * kMinPause)),
                           [&] { return slot->stopping; });
  }
}

DeviceMonitor::DeviceMonitor(std::vector<std::shared_ptr<device::Device>> devices, const Clock& clock,
                             const DeviceMonitorOptions& options)
    : clock_(clock), device_timeout_(options.device_timeout), started_(clock.wall_now()) {
  ERGON_EXPECTS(options.period > Seconds{0});
  for (std::shared_ptr<device::Device>& device : devices) {
    ERGON_EXPECTS(device);
    slots_.push_back(std::make_shared<DeviceSlot>(std::move(device), limits_for(options.period)));
  }
  for (const std::shared_ptr<DeviceSlot>& slot : slots_) {
    threads_.emplace_back(
        [slot, &clock, period = options.period] { read_periodically(slot, clock, period); });
  }
  const auto deadline = real_deadline(device_timeout_);
  for (const std::shared_ptr<DeviceSlot>& slot : slots_) {
    std::unique_lock lock(slot->mutex);
    slot->changed.wait_until(lock, deadline, [&] { return slot->read_once; });
  }
}

DeviceMonitor::~DeviceMonitor() {
  for (const std::shared_ptr<DeviceSlot>& slot : slots_) {
    const std::lock_guard lock(slot->mutex);
    slot->stopping = true;
    slot->changed.notify_all();
  }
  const auto deadline = real_deadline(device_timeout_);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    std::unique_lock lock(slots_[i]->mutex);
    const bool returned = slots_[i]->changed.wait_until(lock, deadline, [&] { return !slots_[i]->reading; });
    lock.unlock();
    if (returned) {
      threads_[i].join();
    } else {
      threads_[i].detach();
    }
  }
}

MonitorSnapshot DeviceMonitor::snapshot() const {
  MonitorSnapshot snapshot;
  snapshot.at = clock_.wall_now();
  snapshot.started = started_;
  for (const std::shared_ptr<DeviceSlot>& slot : slots_) {
    const std::lock_guard lock(slot->mutex);
    snapshot.devices.push_back(slot->state.device_at(clock_.now()));
  }
  return snapshot;
}

bool simulated(const MonitorSnapshot& snapshot) {
  return std::any_of(snapshot.devices.begin(), snapshot.devices.end(),
                     [](const MonitoredDevice& each) { return each.reading.simulated; });
}

}  // namespace ergon::service
