#include "predict/tune/latency_tradeoff.h"

namespace ergon::predict {

LatencyTradeoff latency_tradeoff_of(const OperatingPoint& choice, std::span<const OperatingPoint> points,
                                    const Bounds& bounds, double latency_change) {
  const Seconds latency = choice.latency() * (1 + latency_change);
  const Seconds per_sample = choice.time_per_sample() * (1 + latency_change);
  const Bounds others{std::nullopt, bounds.throughput, bounds.power};
  const OperatingPoint* best = nullptr;
  for (const OperatingPoint& point : points) {
    if (point.device != choice.device || point.latency() > latency || point.time_per_sample() > per_sample ||
        !meets(point, others))
      continue;
    if (best == nullptr || point.energy_per_sample() < best->energy_per_sample()) best = &point;
  }
  if (best == nullptr) return {latency_change, std::nullopt, 0};
  return {latency_change, *best, energy_saving(*best, choice)};
}

std::optional<OperatingPoint> next_cheaper(const OperatingPoint& choice,
                                           std::span<const OperatingPoint> points, const Bounds& bounds) {
  constexpr double kVisibleSaving = 0.0005;
  const Bounds others{std::nullopt, bounds.throughput, bounds.power};
  const OperatingPoint* fastest = nullptr;
  for (const OperatingPoint& point : points) {
    const double slower = (point.latency() / choice.latency()).si();
    if (point.device != choice.device || slower <= 1 ||
        point.time_per_sample() > choice.time_per_sample() * slower ||
        energy_saving(point, choice) < kVisibleSaving || !meets(point, others))
      continue;
    if (fastest == nullptr || point.latency() < fastest->latency()) fastest = &point;
  }
  return fastest == nullptr ? std::nullopt : std::optional(*fastest);
}

}  // namespace ergon::predict
