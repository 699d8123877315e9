#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "systolic/trace/miss_schedule.h"

namespace ergon::systolic {

// Caches schedules by layer and array, so that another memory or clock costs only a replay, and equal layers
// of a network are traced once. Thread-safe.
class ScheduleCache {
 public:
  template <typename Schedule>
  using Shared = Result<std::shared_ptr<const Schedule>>;

  Shared<MissSchedule> misses(const Geometry& geometry, const Machine& machine,
                              const std::stop_token& stop = {});
  Shared<EpochSchedule> epochs(const Geometry& geometry, const Machine& machine,
                               const std::stop_token& stop = {});

  std::size_t traced() const;

 private:
  template <typename Schedule>
  using Map = std::map<std::pair<Geometry, Machine>, std::shared_ptr<const Schedule>>;

  mutable std::mutex mutex_;
  Map<MissSchedule> misses_;
  Map<EpochSchedule> epochs_;
};

}  // namespace ergon::systolic
