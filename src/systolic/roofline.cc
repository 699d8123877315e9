#include "systolic/roofline.h"

#include <algorithm>
#include <array>

#include "base/builtin_files.h"
#include "systolic/run_totals.h"
#include "systolic/simulate.h"

namespace ergon::systolic {
namespace {

// A processing element does a multiplication and an addition per cycle.
double operations_per_cycle(const Accelerator& accelerator) {
  return 2 * static_cast<double>(accelerator.machine.array.units());
}

Result<RooflineChart> chart_of(std::span<const Layer> layers, const Accelerator& accelerator,
                               const Roof& roof, ScheduleCache& cache, const std::stop_token& stop) {
  RooflineChart chart{roof, Hertz{roof.peak_ops / operations_per_cycle(accelerator)}, {}};
  const double words = roof.bandwidth.si() / (chart.clock.si() * static_cast<double>(roof.bytes_per_word));
  const auto runs =
      simulate(layers, accelerator.machine, MemoryPort::of(words), Semantics::ergon, cache, 0, stop);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    RooflinePoint point = roofline_point(layers[i].geometry, roof);
    const Seconds time = duration((*runs)[i].timing.cycles_with_prefetch, chart.clock);
    point.attained_ops = point.operations / time.si();
    chart.points.push_back(point);
  }
  return chart;
}

Error too_many_points(std::string_view what, std::size_t count) {
  return fail(Errc::invalid_input, "{}: {}, more than {}; give fewer peaks or bandwidths", what, count,
              kMaxRooflinePoints);
}

}  // namespace

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

std::size_t RooflineChart::memory_bound() const {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const RooflinePoint& point) { return point.memory_bound; }));
}

Result<Rooflines> resolve(const RooflineRequest& request) {
  const auto accelerator = find_accelerator(request.accelerator);
  if (!accelerator) return accelerator.error();
  std::vector<double> peaks = request.peak_ops;
  if (peaks.empty()) peaks.push_back(operations_per_cycle(*accelerator) * accelerator->clock.si());
  std::vector<BytesPerSecond> bandwidths = request.bandwidths;
  if (bandwidths.empty()) {
    const auto memory = find_memory(request.memory.value_or(accelerator->memory));
    if (!memory) return memory.error();
    bandwidths.push_back(memory->effective * accelerator->memory_share);
  }
  if (const std::size_t roofs = peaks.size() * bandwidths.size(); roofs > kMaxRooflinePoints)
    return too_many_points("rooflines", roofs);
  Rooflines rooflines{.accelerator = *accelerator};
  for (const double peak : peaks) {
    for (const BytesPerSecond bandwidth : bandwidths)
      rooflines.roofs.push_back({peak, bandwidth, accelerator->memory_bytes_per_word});
  }
  if (is_json_file(request.accelerator)) rooflines.files.push_back(request.accelerator);
  if (request.memory && is_json_file(*request.memory)) rooflines.files.push_back(*request.memory);
  return rooflines;
}

Result<std::vector<RooflineChart>> charts_of(std::span<const Layer> layers, const Rooflines& rooflines,
                                             const std::stop_token& stop) {
  const std::size_t points = rooflines.roofs.size() * layers.size();
  if (rooflines.roofs.size() > 1 && points > kMaxRooflinePoints)
    return too_many_points("layers under all rooflines", points);
  ScheduleCache cache;
  std::vector<RooflineChart> charts;
  for (const Roof& roof : rooflines.roofs) {
    auto chart = chart_of(layers, rooflines.accelerator, roof, cache, stop);
    if (!chart) return chart.error();
    charts.push_back(std::move(*chart));
  }
  return charts;
}

}  // namespace ergon::systolic
