#include "control/targets/target.h"

namespace ergon::control {

std::string_view name_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::twin:
      return "twin";
    case TargetKind::trace:
      return "trace";
    case TargetKind::gpu:
      return "gpu";
  }
  return "";
}

Arrivals TargetSettings::arrivals() const {
  return arrival_rate ? Arrivals::poisson(*arrival_rate, seed) : Arrivals::closed();
}

std::optional<Seconds> TargetSettings::batch_latency() const {
  return latency && arrival_rate ? *latency / 2 : latency;
}

}  // namespace ergon::control
