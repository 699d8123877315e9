#include "profile/engine.h"

#include <algorithm>
#include <cmath>

namespace ergon::profile {

std::int64_t instances_for(Bytes weights, Bytes cache) {
  constexpr double kMost = 64;
  if (!(weights > Bytes{0}) || !(cache > Bytes{0})) return 1;
  const double wanted = std::ceil(2 * (cache / weights).si());
  return static_cast<std::int64_t>(std::clamp(wanted, 2.0, kMost));
}

Result<std::unique_ptr<Service>> Engine::serve(const graph::Network&, const Condition&, const Preparation&) {
  return fail(Errc::unsupported, "{} runs no network at changing batches", facts().engine);
}

}  // namespace ergon::profile
