#include "predict/tune/bounds.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/units_text.h"

namespace ergon::predict {
namespace {

bool meets_one(BoundKind kind, const Bounds& bounds, const OperatingPoint& point) {
  return excess(kind, bounds, point) <= 1;
}

double worst_excess(const OperatingPoint& point, const Bounds& bounds) {
  double worst = 0;
  for (const BoundKind kind : given(bounds)) worst = std::max(worst, excess(kind, bounds, point));
  return worst;
}

// The eligible point with the smallest excess over a bound.
template <typename Eligible>
std::optional<OperatingPoint> best_for(BoundKind kind, std::span<const OperatingPoint> points,
                                       const Bounds& bounds, const Eligible& eligible) {
  const OperatingPoint* best = nullptr;
  for (const OperatingPoint& point : points) {
    if (!eligible(point)) continue;
    if (best == nullptr || excess(kind, bounds, point) < excess(kind, bounds, *best)) best = &point;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string value_text(BoundKind kind, const OperatingPoint& point) {
  switch (kind) {
    case BoundKind::latency:
      return to_text(point.latency());
    case BoundKind::throughput:
      return throughput_text(point.throughput());
    case BoundKind::power:
      break;
  }
  return to_text(point.power());
}

std::string best_text(const Infeasibility::UnmetBound& unmet) {
  const char* const what = unmet.bound == BoundKind::latency      ? "the lowest latency"
                           : unmet.bound == BoundKind::throughput ? "the highest throughput"
                                                                  : "the lowest power";
  return fmt::format("{} is {} ({})", what, value_text(unmet.bound, unmet.best), point_text(unmet.best));
}

}  // namespace

std::vector<BoundKind> given(const Bounds& bounds) {
  std::vector<BoundKind> kinds;
  if (bounds.latency) kinds.push_back(BoundKind::latency);
  if (bounds.throughput) kinds.push_back(BoundKind::throughput);
  if (bounds.power) kinds.push_back(BoundKind::power);
  return kinds;
}

std::string bound_text(BoundKind kind, const Bounds& bounds) {
  switch (kind) {
    case BoundKind::latency:
      return fmt::format("latency at most {}", to_text(*bounds.latency));
    case BoundKind::throughput:
      return "throughput at least " + throughput_text(*bounds.throughput);
    case BoundKind::power:
      break;
  }
  return fmt::format("power at most {}", to_text(*bounds.power));
}

double excess(BoundKind kind, const Bounds& bounds, const OperatingPoint& point) {
  switch (kind) {
    case BoundKind::latency:
      return (point.latency() / *bounds.latency).si();
    case BoundKind::throughput:
      return (*bounds.throughput / point.throughput()).si();
    case BoundKind::power:
      break;
  }
  return (point.power() / *bounds.power).si();
}

bool meets(const OperatingPoint& point, const Bounds& bounds) { return worst_excess(point, bounds) <= 1; }

Infeasibility infeasibility_of(std::span<const OperatingPoint> points, const Bounds& bounds) {
  ERGON_EXPECTS(!points.empty());
  Infeasibility infeasibility;
  const auto kinds = given(bounds);
  for (const BoundKind kind : kinds) {
    const auto best = best_for(kind, points, bounds, [](const OperatingPoint&) { return true; });
    if (!meets_one(kind, bounds, *best)) infeasibility.unmet.push_back({kind, *best});
  }
  infeasibility.individually_infeasible = !infeasibility.unmet.empty();
  if (!infeasibility.individually_infeasible) {
    for (const BoundKind kind : kinds) {
      const auto best = best_for(kind, points, bounds, [&](const OperatingPoint& point) {
        return std::all_of(kinds.begin(), kinds.end(),
                           [&](BoundKind other) { return other == kind || meets_one(other, bounds, point); });
      });
      if (best) infeasibility.unmet.push_back({kind, *best});
    }
  }
  infeasibility.nearest = *std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
    return worst_excess(a, bounds) < worst_excess(b, bounds);
  });
  return infeasibility;
}

std::string Infeasibility::text(const Bounds& bounds) const {
  std::vector<std::string> wanted, best;
  if (individually_infeasible) {
    for (const UnmetBound& each : unmet) wanted.push_back(bound_text(each.bound, bounds));
  } else {
    for (const BoundKind kind : given(bounds)) wanted.push_back(bound_text(kind, bounds));
  }
  for (const UnmetBound& each : unmet) best.push_back(best_text(each));
  std::string text = fmt::format("no operating point has {}", fmt::join(wanted, " and "));
  if (!best.empty()) {
    text += fmt::format(": {}{}", individually_infeasible ? "" : "within the other bounds, ",
                        fmt::join(best, "; "));
  }
  return text + fmt::format(". The nearest is {}: {}, {}, {}", point_text(nearest),
                            to_text(nearest.latency()), throughput_text(nearest.throughput()),
                            to_text(nearest.power()));
}

}  // namespace ergon::predict
