#include "systolic/roofline.h"

#include <algorithm>
#include <array>

namespace ergon::systolic {

std::string_view name_of(LayerKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"conv", "dw", "pw", "fc"};
  return kNames[static_cast<std::size_t>(kind)];
}

LayerKind kind_of(const Geometry& g) {
  if (g.positions == 1 || (g.filter_width == g.input_width && g.channels == 1 && g.filter_height == 1)) {
    return LayerKind::fully_connected;
  }
  if (g.filter_height == 1 && g.filter_width == 1) return LayerKind::pointwise;
  return g.filters == 1 ? LayerKind::depthwise : LayerKind::convolution;
}

RooflinePoint roofline_point(const Geometry& g, const Roof& roof) {
  RooflinePoint point;
  point.operations = 2 * static_cast<double>(g.macs());
  const std::int64_t words = g.distinct_inputs() + g.taps * g.filters + g.positions * g.filters;
  point.traffic = Bytes{static_cast<double>(words) * static_cast<double>(roof.bytes_per_word)};
  point.intensity = point.operations / point.traffic.si();
  point.peak_ops = roof.peak_ops;
  point.attainable_ops = std::min(roof.peak_ops, point.intensity * roof.bandwidth.si());
  point.memory_bound = point.intensity < roof.ridge();
  return point;
}

}  // namespace ergon::systolic
