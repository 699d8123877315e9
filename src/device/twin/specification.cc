#include "device/twin/specification.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::device {

double VoltageLine::at(Hertz clock, Hertz max_clock) const {
  if (clock <= knee || max_clock <= knee) return 1;
  return 1 + (ratio_at_max - 1) * ((clock - knee) / (max_clock - knee)).si();
}

double BandwidthCurve::at(Hertz clock) const {
  ERGON_EXPECTS(!points.empty());
  const auto after =
      std::find_if(points.begin(), points.end(), [&](const Point& point) { return point.clock >= clock; });
  if (after == points.begin()) return after->share;
  if (after == points.end()) return points.back().share;
  const Point& before = *(after - 1);
  const double fraction = ((clock - before.clock) / (after->clock - before.clock)).si();
  return before.share + fraction * (after->share - before.share);
}

bool SensorModel::answers(std::string_view name) const {
  return name == field || std::find(also.begin(), also.end(), name) != also.end();
}

double Specification::relative_voltage_squared(Hertz clock) const {
  const double ratio = voltage.at(clock, core.max) / voltage.at(core.max, core.max);
  return ratio * ratio;
}

double Specification::relative_dynamic_power(Hertz clock) const {
  return (clock / core.max).si() * relative_voltage_squared(clock);
}

}  // namespace ergon::device
