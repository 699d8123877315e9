#include "profile/engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/twin/network_precision.h"

namespace ergon::profile {

std::int64_t instances_for(Bytes weights, Bytes cache) {
  constexpr double kMaxInstances = 64;
  if (!(weights > Bytes{0}) || !(cache > Bytes{0})) return 1;
  const double instances = std::ceil(2 * (cache / weights).si());
  return static_cast<std::int64_t>(std::clamp(instances, 2.0, kMaxInstances));
}

std::vector<std::string> Engine::warnings(const graph::Network& network,
                                          const RunCondition& condition) const {
  std::vector<std::string> all;
  if (auto warning = device::unmeasured_warning(network, condition.precision))
    all.push_back(std::move(*warning));
  return all;
}

Result<std::unique_ptr<BatchExecutor>> Engine::open_executor(const graph::Network&, const RunCondition&,
                                                             const PrepareOptions&) {
  return fail(Errc::unsupported, "{} does not support batches of changing size", facts().engine);
}

}  // namespace ergon::profile
