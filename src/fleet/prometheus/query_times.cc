#include "fleet/prometheus/query_times.h"

#include <algorithm>

namespace ergon::fleet {

Result<StepRange> range_of(const QueryTimes& times, Timestamp now) {
  const auto from = times.from.at(now);
  if (!from) return from.error();
  const auto to = times.to.at(now);
  if (!to) return to.error();
  auto range = steps_between(*from, std::min(*to, now), times.step);
  if (!range) return range.error().in("--prometheus");
  return range;
}

}  // namespace ergon::fleet
