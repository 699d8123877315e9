#include "control/surfaces/grid_surface.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "control/plants/twin_plant.h"
#include "device/twin/estimate.h"

namespace ergon::control {
namespace {

// Neighbors of a value in an ascending list, and its position between them.
struct Bracket {
  std::size_t below = 0, above = 0;
  double share = 0;
};
Bracket bracket_of(const std::vector<double>& ascending, double value) {
  const auto above = std::upper_bound(ascending.begin(), ascending.end(), value);
  if (above == ascending.begin()) return {};
  const auto last = ascending.size() - 1;
  if (above == ascending.end()) return {last, last, 0};
  const auto i = static_cast<std::size_t>(above - ascending.begin());
  return {i - 1, i, (value - ascending[i - 1]) / (ascending[i] - ascending[i - 1])};
}

// Stands for 0 (unknown) in logarithms.
constexpr double kUnknown = 1e-12;
double log_of(double value) { return std::log(std::max(value, kUnknown / 2)); }
double between(double a, double b, double share) { return a + share * (b - a); }

}  // namespace

Result<GridSurface> GridSurface::of(const std::vector<std::int64_t>& batches,
                                    const std::vector<Hertz>& clocks, const At& at) {
  ERGON_EXPECTS(!batches.empty());
  GridSurface surface;
  for (const std::int64_t batch : batches) surface.batches_.push_back(std::log(static_cast<double>(batch)));
  for (const Hertz clock : clocks) surface.clocks_.push_back(std::log(clock.si()));
  const auto add = [&](const Point& point) -> Result<> {
    const auto there = at(point);
    if (!there) return there.error();
    surface.cells_.push_back({log_of(there->time.si()), log_of(there->gpu.si()), log_of(there->host.si()),
                              log_of(there->power.si())});
    return {};
  };
  for (std::size_t i = 0; i < std::max<std::size_t>(1, clocks.size()); ++i) {
    for (const std::int64_t batch : batches) {
      const Point point{batch, clocks.empty() ? std::nullopt : std::optional(clocks[i])};
      if (const auto added = add(point); !added) return added.error();
    }
  }
  return surface;
}

Expectation GridSurface::at(const Point& point) const {
  const Bracket batch = bracket_of(batches_, std::log(static_cast<double>(point.batch)));
  // No clock: the highest one.
  const Bracket clock = clocks_.empty() ? Bracket{}
                        : point.clock   ? bracket_of(clocks_, std::log(point.clock->si()))
                                        : Bracket{clocks_.size() - 1, clocks_.size() - 1, 0};
  const auto along = [&](std::size_t row, double Cell::*value) {
    const Cell* cells = &cells_[row * batches_.size()];
    return between(cells[batch.below].*value, cells[batch.above].*value, batch.share);
  };
  const auto value = [&](double Cell::*of) {
    return std::exp(between(along(clock.below, of), along(clock.above, of), clock.share));
  };
  const auto known = [&](double Cell::*of) {
    const double seconds = value(of);
    return Seconds{seconds > kUnknown ? seconds : 0};
  };
  return {Seconds{value(&Cell::time)}, Watts{value(&Cell::power)}, known(&Cell::gpu), known(&Cell::host)};
}

std::vector<std::int64_t> grid_batches(std::int64_t min, std::int64_t max) {
  std::vector<std::int64_t> batches;
  for (std::int64_t batch = min; batch < max; batch += std::max<std::int64_t>(1, batch / 4))
    batches.push_back(batch);
  batches.push_back(max);
  return batches;
}

Result<GridSurface> twin_surface(const graph::Network& network, const device::Specification& gpu,
                                 device::Precision precision, const Knobs& knobs) {
  const device::SensorModel& sensor = fastest_sensor(gpu);
  const auto batches = grid_batches(knobs.batches.front(), knobs.batches.back());
  std::vector<std::vector<Expectation>> by_batch;
  const std::size_t clocks = std::max<std::size_t>(1, knobs.clocks.size());
  for (const std::int64_t each : batches) {
    const auto work = device::workload_of(network, each, graph::Mode::inference, precision);
    if (!work) return work.error();
    const device::Load load(*work, gpu);
    auto& row = by_batch.emplace_back();
    for (std::size_t i = 0; i < clocks; ++i) {
      const auto clock = knobs.clocks.empty() ? std::nullopt : std::optional(knobs.clocks[i]);
      const auto state = device::steady_state(load, gpu, {clock, {}});
      row.push_back({state.activity.time, state.power * sensor.gain + sensor.offset, state.activity.gpu,
                     state.activity.host});
    }
  }
  return GridSurface::of(batches, knobs.clocks, [&](const Point& point) -> Result<Expectation> {
    const auto b = std::lower_bound(batches.begin(), batches.end(), point.batch) - batches.begin();
    const auto c = point.clock ? std::lower_bound(knobs.clocks.begin(), knobs.clocks.end(), *point.clock) -
                                     knobs.clocks.begin()
                               : 0;
    return by_batch[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)];
  });
}

}  // namespace ergon::control
