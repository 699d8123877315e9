// Event sets. The twins raise no events: a wait ends with a timeout, or when a registered GPU is lost.

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

struct EventSet {
  std::vector<std::size_t> gpus;
};

// All event sets of this process, by handle. As in the real library they outlive nvmlShutdown.
class EventSets {
 public:
  static EventSets& here() {
    static auto* const sets = new EventSets;  // never destroyed, like the library
    return *sets;
  }
  EventSet* create() {
    const std::lock_guard lock(mutex_);
    return sets_.emplace_back(std::make_unique<EventSet>()).get();
  }
  bool free(const EventSet* set) {
    const std::lock_guard lock(mutex_);
    return std::erase_if(sets_, [&](const auto& each) { return each.get() == set; }) > 0;
  }
  bool add(const EventSet* set, std::size_t gpu) {
    const std::lock_guard lock(mutex_);
    EventSet* const found = find(set);
    if (found != nullptr) found->gpus.push_back(gpu);
    return found != nullptr;
  }
  // Absent: no such set.
  std::optional<std::vector<std::size_t>> gpus_of(const EventSet* set) {
    const std::lock_guard lock(mutex_);
    const EventSet* const found = find(set);
    return found == nullptr ? std::nullopt : std::optional(found->gpus);
  }

 private:
  EventSet* find(const EventSet* set) {
    const auto found =
        std::find_if(sets_.begin(), sets_.end(), [&](const auto& e) { return e.get() == set; });
    return found == sets_.end() ? nullptr : found->get();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<EventSet>> sets_;
};

// Bits of nvml.h. An H200 with driver 580 supports all of kAllEvents.
constexpr unsigned long long kAllEvents = 0xff9f;
constexpr unsigned long long kMemoryErrorEvents = 0x3e03;  // ECC errors, retirements, poison
constexpr unsigned long long kMigEvents = 0x100;

unsigned long long events_of(const GpuCall& at) {
  unsigned long long events = kAllEvents;
  if (!at.product.ecc) events &= ~kMemoryErrorEvents;
  if (!at.product.has_mig()) events &= ~kMigEvents;
  return events;
}

Return wait(const char* function, const EventSet* set, const void* data, unsigned timeout_ms) {
  const Return entered = Library::here().call(function, [](Simulation&) { return Return::success; });
  if (entered != Return::success) return entered;
  const auto gpus = EventSets::here().gpus_of(set);
  if (!gpus || data == nullptr) return Return::invalid_argument;
  using Clock = std::chrono::steady_clock;
  constexpr auto kCheck = std::chrono::milliseconds(10);
  const auto end = Clock::now() + std::chrono::milliseconds(timeout_ms);
  while (true) {
    for (const std::size_t gpu : *gpus) {
      const Return state = Library::here().state_of(function, gpu);
      if (state != Return::success) return state;
    }
    const auto now = Clock::now();
    if (now >= end) return Return::timeout;
    std::this_thread::sleep_for(std::min<Clock::duration>(kCheck, end - now));
  }
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the interface
extern "C" {

Return nvmlEventSetCreate(EventSet** set) {
  return Library::here().call(__func__, [&](Simulation&) {
    if (set == nullptr) return Return::invalid_argument;
    *set = EventSets::here().create();
    return Return::success;
  });
}
Return nvmlEventSetFree(EventSet* set) {
  return Library::here().call(__func__, [&](Simulation&) {
    return EventSets::here().free(set) ? Return::success : Return::invalid_argument;
  });
}
Return nvmlDeviceGetSupportedEventTypes(DeviceHandle device, unsigned long long* events) {
  return give(__func__, device, events, [](const GpuCall& at) { return events_of(at); });
}
Return nvmlDeviceRegisterEvents(DeviceHandle device, unsigned long long events, EventSet* set) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (set == nullptr) return Return::invalid_argument;
    if ((events & ~events_of(at)) != 0) return Return::not_supported;
    return EventSets::here().add(set, at.index) ? Return::success : Return::invalid_argument;
  });
}
// The versions differ in the structure of the data, which is not written.
Return nvmlEventSetWait(EventSet* set, void* data, unsigned timeout_ms) {
  return wait(__func__, set, data, timeout_ms);
}
Return nvmlEventSetWait_v2(EventSet* set, void* data, unsigned timeout_ms) {
  return wait(__func__, set, data, timeout_ms);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

}  // namespace ergon::fake_nvml
