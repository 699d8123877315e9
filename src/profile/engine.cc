#include "profile/engine.h"

#include <algorithm>
#include <cmath>

namespace ergon::profile {

std::int64_t instances_for(Bytes weights, Bytes cache) {
  constexpr double kMaxInstances = 64;
  if (!(weights > Bytes{0}) || !(cache > Bytes{0})) return 1;
  const double instances = std::ceil(2 * (cache / weights).si());
  return static_cast<std::int64_t>(std::clamp(instances, 2.0, kMaxInstances));
}

Result<std::unique_ptr<BatchExecutor>> Engine::open_executor(const graph::Network&, const RunCondition&,
                                                             const PrepareOptions&) {
  return fail(Errc::unsupported, "{} does not support batches of changing size", facts().engine);
}

}  // namespace ergon::profile
