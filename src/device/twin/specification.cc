#include "device/twin/specification.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::device {

double VoltageLine::at(Hertz clock, Hertz most) const {
  if (clock <= knee || most <= knee) return 1;
  return 1 + (at_most - 1) * ((clock - knee) / (most - knee)).si();
}

double BandwidthCurve::at(Hertz clock) const {
  ERGON_EXPECTS(!points.empty());
  const auto after =
      std::find_if(points.begin(), points.end(), [&](const Point& point) { return point.clock >= clock; });
  if (after == points.begin()) return after->share;
  if (after == points.end()) return points.back().share;
  const Point& before = *(after - 1);
  const double way = ((clock - before.clock) / (after->clock - before.clock)).si();
  return before.share + way * (after->share - before.share);
}

double Specification::swing(Hertz clock) const {
  const double ratio = voltage.at(clock, core.most) / voltage.at(core.most, core.most);
  return ratio * ratio;
}

double Specification::drive(Hertz clock) const { return (clock / core.most).si() * swing(clock); }

}  // namespace ergon::device
