#include "predict/tune/front.h"

#include <algorithm>

namespace ergon::predict {

std::vector<OperatingPoint> pareto_front(std::span<const OperatingPoint> points) {
  std::vector<const OperatingPoint*> order;
  order.reserve(points.size());
  for (const OperatingPoint& point : points) order.push_back(&point);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    if (a->latency() != b->latency()) return a->latency() < b->latency();
    return a->energy_per_sample() < b->energy_per_sample();
  });
  std::vector<OperatingPoint> front;
  for (const OperatingPoint* point : order) {
    if (front.empty() || point->energy_per_sample() < front.back().energy_per_sample())
      front.push_back(*point);
  }
  return front;
}

}  // namespace ergon::predict
