#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "device/device.h"
#include "service/metrics/watch_state.h"

namespace ergon::service {

struct WatchOptions {
  Seconds period{1};    // from the beginning of a reading to that of the next
  Seconds patience{1};  // how long begin and end wait for a device that does not answer
};

// All devices, each as it was last seen.
struct WatchSnapshot {
  Timestamp at;
  std::vector<WatchedDevice> devices;  // in the order in which they were given
};

// Reads devices from time to time for as long as it lives, and tells anybody what was seen last.
//
// Every device has a thread of its own, because a driver may not return from a call for seconds, or ever. A
// slow device is read as often as it can be, with a pause of a tenth of the period at least, and delays no
// other. One that does not return counts as not answering after ten seconds (three periods, where that is
// more), and is seen again as soon as it returns. One that says it is lost is asked again every period.
//
// Moments come from the clock; waiting is real time, so that the end need not wait for the next reading.
class Watch {
 public:
  // Returns when every device was read once, or the patience is over. The clock is asked by several threads
  // at once and outlives the watch. Contract: the period is more than 0; no device is null.
  Watch(std::vector<std::shared_ptr<device::Device>> devices, const Clock& clock,
        const WatchOptions& options = {});
  // Returns at once, or when the reading that is under way has ended. A thread that has not returned from its
  // driver when the patience is over is left behind: it keeps its device, and ends when the driver returns.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Any thread. Waits for no device.
  WatchSnapshot snapshot() const;

 private:
  struct Place;
  static void keep_reading(const std::shared_ptr<Place>& place, const Clock& clock, Seconds period);

  const Clock& clock_;
  Seconds patience_;
  std::vector<std::shared_ptr<Place>> places_;
  std::vector<std::thread> threads_;
};

// Whether a number of it comes from a model.
bool simulated(const WatchSnapshot& snapshot);

}  // namespace ergon::service
