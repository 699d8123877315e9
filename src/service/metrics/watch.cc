#include "service/metrics/watch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/contract.h"

namespace ergon::service {
namespace {

constexpr double kLeastPause = 0.1;  // of a period
constexpr double kPeriodsOfSilence = 3;

std::chrono::duration<double> real_time(Seconds time) { return std::chrono::duration<double>(time.si()); }

std::chrono::steady_clock::time_point real_deadline(Seconds patience) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::nanoseconds>(real_time(patience));
}

WatchLimits limits_for(Seconds period) {
  WatchLimits limits;
  limits.longest_gap = std::max(limits.longest_gap, period * kPeriodsOfSilence);
  return limits;
}

}  // namespace

// What a device's thread shares with the watch. The thread may outlive the watch, and must then touch nothing
// but this: the clock is asked only under the lock and before anybody has said that it is over.
struct Watch::Place {
  Place(std::shared_ptr<device::Device> which, const WatchLimits& limits)
      : device(std::move(which)), state(unread(*device), limits) {}

  const std::shared_ptr<device::Device> device;
  std::mutex mutex;
  std::condition_variable changed;
  WatchState state;
  bool begun = false;    // a reading has ended
  bool reading = false;  // one is under way
  bool over = false;
};

void Watch::keep_reading(const std::shared_ptr<Place>& place, const Clock& clock, Seconds period) {
  std::unique_lock lock(place->mutex);
  while (!place->over) {
    const Instant began = clock.now();
    const Timestamp at = clock.wall_now();
    place->reading = true;
    lock.unlock();
    const GpuReading reading = read(*place->device, at);
    lock.lock();
    place->reading = false;
    place->changed.notify_all();
    if (place->over) return;
    place->state.step(reading, began);
    place->begun = true;
    const Seconds took = clock.now() - began;
    place->changed.wait_for(lock, real_time(std::max(period - took, period * kLeastPause)),
                            [&] { return place->over; });
  }
}

Watch::Watch(std::vector<std::shared_ptr<device::Device>> devices, const Clock& clock,
             const WatchOptions& options)
    : clock_(clock), patience_(options.patience) {
  ERGON_EXPECTS(options.period > Seconds{0});
  for (std::shared_ptr<device::Device>& device : devices) {
    ERGON_EXPECTS(device);
    places_.push_back(std::make_shared<Place>(std::move(device), limits_for(options.period)));
  }
  for (const std::shared_ptr<Place>& place : places_) {
    threads_.emplace_back([place, &clock, period = options.period] { keep_reading(place, clock, period); });
  }
  const auto deadline = real_deadline(patience_);
  for (const std::shared_ptr<Place>& place : places_) {
    std::unique_lock lock(place->mutex);
    place->changed.wait_until(lock, deadline, [&] { return place->begun; });
  }
}

Watch::~Watch() {
  for (const std::shared_ptr<Place>& place : places_) {
    const std::lock_guard lock(place->mutex);
    place->over = true;
    place->changed.notify_all();
  }
  const auto deadline = real_deadline(patience_);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    std::unique_lock lock(places_[i]->mutex);
    const bool returned =
        places_[i]->changed.wait_until(lock, deadline, [&] { return !places_[i]->reading; });
    lock.unlock();
    if (returned) {
      threads_[i].join();
    } else {
      threads_[i].detach();
    }
  }
}

WatchSnapshot Watch::snapshot() const {
  WatchSnapshot snapshot;
  snapshot.at = clock_.wall_now();
  for (const std::shared_ptr<Place>& place : places_) {
    const std::lock_guard lock(place->mutex);
    snapshot.devices.push_back(place->state.seen(clock_.now()));
  }
  return snapshot;
}

bool simulated(const WatchSnapshot& snapshot) {
  return std::any_of(snapshot.devices.begin(), snapshot.devices.end(),
                     [](const WatchedDevice& each) { return each.reading.simulated; });
}

}  // namespace ergon::service
