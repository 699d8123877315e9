#include "systolic/trace/schedule_cache.h"

namespace ergon::systolic {
namespace {

// Finds a schedule, or traces it without holding the lock.
template <typename Map, typename Trace>
auto find_or_trace(std::mutex& mutex, Map& known, const Geometry& geometry, const Machine& machine,
                   const std::stop_token& stop, const Trace& trace) -> Result<typename Map::mapped_type> {
  const std::pair key(geometry, machine);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  auto traced = trace(geometry, machine, stop);
  if (!traced) return traced.error();
  using Schedule = typename Map::mapped_type::element_type;
  const std::lock_guard lock(mutex);
  const auto position = known.try_emplace(key, std::make_shared<Schedule>(std::move(*traced))).first;
  return position->second;
}

}  // namespace

ScheduleCache::Shared<MissSchedule> ScheduleCache::misses(const Geometry& geometry, const Machine& machine,
                                                          const std::stop_token& stop) {
  return find_or_trace(mutex_, misses_, geometry, machine, stop, trace_misses);
}

ScheduleCache::Shared<EpochSchedule> ScheduleCache::epochs(const Geometry& geometry, const Machine& machine,
                                                           const std::stop_token& stop) {
  return find_or_trace(mutex_, epochs_, geometry, machine, stop, trace_epochs);
}

std::size_t ScheduleCache::traced() const {
  const std::lock_guard lock(mutex_);
  return misses_.size() + epochs_.size();
}

}  // namespace ergon::systolic
